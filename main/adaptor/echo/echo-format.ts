import type { Json } from './json-access.ts'
import type { EchoReply } from './reply/echo-reply.ts'
import type { EchoTurn } from './reply/echo-turn.ts'

/** The request that is answered, as a format's writers need it. */
export interface EchoRequest {
  model: string
  body: Json
  /** Gemini: events rather than a JSON array. */
  altSse: boolean
}

/** One wire format as Echo speaks it. */
export interface EchoFormat {
  /** The request; a string names the field that is missing or of the wrong type. */
  read(body: Json): EchoTurn | string
  /** The whole answer. */
  write(reply: EchoReply, request: EchoRequest): Json
  /** The same as a stream; each string is sent by itself, a moment after the one before. */
  stream(reply: EchoReply, request: EchoRequest): Iterable<string>
  /** The answer to a call that only counts; null when the format has none. */
  count(tokens: number): Json | null
  /** A refusal with status 400. */
  refuse(message: string, field: string): Json
  /** Name of the header that carries the answer's id, as the vendor's SDK reads it. */
  idHeader: string
}
