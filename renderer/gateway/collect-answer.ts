import type { StreamEvent } from '../../preload/contract.ts'

/** A streamed answer, read to its end. */
export interface WholeAnswer {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}

/** `broken` is the reason why the answer is incomplete. */
export type AnswerEnd = { answer: WholeAnswer } | { broken: string; status: number | null }

/** Calls `onEnd` once, after the last event. */
export function collectAnswer(onEnd: (end: AnswerEnd) => void): (event: StreamEvent) => void {
  let head: Omit<WholeAnswer, 'bytes'> | null = null
  const chunks: Uint8Array[] = []

  return (event) => {
    if (event.type === 'start') head = { status: event.status, headers: event.headers }
    else if (event.type === 'chunk') chunks.push(event.bytes)
    else if (event.type === 'end' && head) onEnd({ answer: { ...head, bytes: joined(chunks) } })
    else {
      const broken = event.type === 'error' ? event.message : 'There was no answer.'
      onEnd({ broken, status: head?.status ?? null })
    }
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
