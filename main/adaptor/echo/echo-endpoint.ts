import type { LocalRequest } from '../adaptor.ts'
import type { Json } from './json-access.ts'

/** Echo's answer, as it goes on the wire. */
export interface EchoAnswer {
  contentType: string
  /** Each is sent by itself, a moment after the one before. */
  parts: Iterable<string | Buffer>
}

/** One format of calls as Echo serves it. */
export interface EchoEndpoint {
  /** Throws `EchoRefusal`. */
  answer(request: LocalRequest): EchoAnswer
  /** The body of a refusal with status 400, in the vendor's shape. */
  refuse(message: string, field: string): Json
  /** The header that carries the answer's id, where it is not OpenAI's `x-request-id`. */
  idHeader?: string
}

/** Why Echo does not answer: a field and what it has to be. */
export class EchoRefusal extends Error {
  readonly field: string

  constructor(field: string, rule: string) {
    super(`${field}: ${rule}.`)
    this.field = field
  }
}

/** Refuses the call for what stands in a field. */
export function refuse(field: string, rule: string): never {
  throw new EchoRefusal(field, rule)
}

/** An answer of one JSON value. */
export const jsonAnswer = (value: unknown): EchoAnswer => ({
  contentType: 'application/json; charset=utf-8',
  parts: [JSON.stringify(value)],
})

/** An answer of server-sent events, each already in the text of the wire. */
export const eventsAnswer = (parts: Iterable<string>): EchoAnswer => ({
  contentType: 'text/event-stream; charset=utf-8',
  parts,
})

/** An event whose name is its type, as OpenAI writes those of pictures, speech and transcripts. */
export const typedEvent = (type: string, fields: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** A refusal in OpenAI's shape: https://platform.openai.com/docs/guides/error-codes */
export const openaiRefusal: EchoEndpoint['refuse'] = (message, param) => ({
  error: { message, type: 'invalid_request_error', param, code: null },
})

/** A refusal in Google's shape: https://ai.google.dev/gemini-api/docs/troubleshooting */
export const googleRefusal: EchoEndpoint['refuse'] = (message) => ({
  error: { code: 400, message, status: 'INVALID_ARGUMENT' },
})
