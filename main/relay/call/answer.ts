/** Where a stream's bytes go: the client's connection, or the desktop's window. */
export interface AnswerSink {
  /** False asks for a pause until the next drain. */
  write(chunk: Buffer): boolean
  /** The answer is whole. */
  end(): void
  /** The answer stops short; the connection must not look as if it were whole. */
  fail(): void
  onDrain(listener: () => void): void
}

/** An answer's body that is still coming. */
export interface AnswerStream {
  pipeTo(sink: AnswerSink): void
  /** The client has left: ends the upstream call and books what was produced. */
  cancel(): void
}

/** The client's answer: status, headers in lower case, and a whole body or a stream. */
export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer | AnswerStream
}
