import { asArray, asObject, asText, type Json } from '../json-access.ts'
import { readResponses } from '../read-responses.ts'
import type { EchoReply } from '../reply/echo-reply.ts'
import { replyTo } from '../reply/echo-reply.ts'
import { responses } from '../responses.ts'
import type { EchoSession } from './local-socket.ts'

/** Answers of a connection that can be continued. */
const MOST_KNOWN = 1000

const errorOf = (message: string, param: string | null, code: string): Json => ({
  type: 'error',
  status: 400,
  error: { type: 'invalid_request_error', code, message, param },
})

/** The reply to a warm-up, which has the model read only. */
const silent = (reply: EchoReply): EchoReply => ({
  ...reply,
  ...{ thinking: '', text: '', toolCall: null, finish: 'stop', stopSequence: null },
  usage: { ...reply.usage, output: 0, reasoning: 0 },
})

/**
 * Echo's Responses over a WebSocket: https://platform.openai.com/docs/guides/websocket-mode. An answer can
 * be gone on from by its id for as long as the connection lasts.
 */
export class ResponsesEcho implements EchoSession {
  readonly #model: string
  readonly #known = new Set<string>()

  /** `model` is the name of a message that has none. */
  constructor(model: string) {
    this.#model = model
  }

  open(): Iterable<Json> {
    return []
  }

  interrupts(): boolean {
    return false
  }

  refuse(message: string): Json {
    return errorOf(message, null, 'invalid_json')
  }

  *answer(event: Json): Iterable<Json> {
    // It says that the client is done with an answer.
    if (event.type === 'response.processed') return
    const place = typeof event.stream_id === 'string' ? { stream_id: event.stream_id } : {}
    for (const answer of this.#say(event)) yield { ...answer, ...place }
  }

  *#say({ type, stream_id: _lane, generate, ...body }: Json): Iterable<Json> {
    if (type !== 'response.create') {
      yield errorOf(`type: "${type}" is not known to Echo.`, 'type', 'invalid_value')
      return
    }
    const previous = asText(body.previous_response_id)
    if (previous !== '' && !this.#known.has(previous)) {
      const message = `Previous response with id '${previous}' not found.`
      yield errorOf(message, 'previous_response_id', 'previous_response_not_found')
      return
    }
    // A warm-up, and what goes on from one, may bring nothing new.
    const isEmpty = asArray(body.input).length === 0 && typeof body.input !== 'string'
    const turn = readResponses(
      isEmpty && Array.isArray(body.input) ? { ...body, input: ' ' } : body,
    )
    if (typeof turn === 'string') {
      yield errorOf(`${turn}: is required.`, turn, 'missing_required_parameter')
      return
    }
    const reply = replyTo(turn)
    const asked = { model: asText(body.model) || this.#model, body, altSse: true }
    for (const text of responses.stream(generate === false ? silent(reply) : reply, asked)) {
      const event = asObject(JSON.parse(text.slice(text.indexOf('\ndata: ') + 7)))
      if (event.type === 'response.completed') this.#remember(asText(asObject(event.response).id))
      yield event
    }
  }

  #remember(id: string): void {
    if (this.#known.size < MOST_KNOWN) this.#known.add(id)
  }
}
