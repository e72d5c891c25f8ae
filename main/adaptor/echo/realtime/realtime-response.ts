import { estimateTokens } from '../../../base/estimate-tokens.ts'
import { randomText } from '../../../base/ids.ts'
import type { Json } from '../json-access.ts'
import { toneOf } from '../media/tone.ts'
import type { EchoReply } from '../reply/echo-reply.ts'
import { pieces } from '../reply/pieces.ts'

/** Half a second of sound a message. */
const PIECE = 24_000
/** Tokens for a second of said sound: https://platform.openai.com/docs/guides/realtime-costs */
const TOKENS_A_SECOND = 20

/** Facts of a response before its content. */
export interface RealtimeReply {
  reply: EchoReply
  /** In sound, with its words beside it; else in text. */
  isSpoken: boolean
  voice: string
  speed: number
  /** Tokens that were read. */
  input: { text: number; audio: number }
  conversationId: string
}

/** One response of Echo's, message by message; it can be cut off between any two. */
export class RealtimeResponse {
  readonly #order: RealtimeReply
  readonly #items: Json[] = []
  readonly id = `resp_${randomText(21)}`
  /** Tokens said so far. */
  #text = 0
  #audio = 0

  constructor(order: RealtimeReply) {
    this.#order = order
  }

  /** The finished items, for the conversation. */
  get items(): readonly Json[] {
    return this.#items
  }

  *events(): Iterable<Json> {
    const { reply } = this.#order
    yield { type: 'response.created', response: this.#wire('in_progress', null) }
    if (reply.text !== '') yield* this.#message(reply.text)
    if (reply.toolCall) yield* this.#call(reply.toolCall)
    yield this.done(reply.finish === 'length' ? 'incomplete' : 'completed')
  }

  /** The last message, when all is said or it was cut off. */
  done(status: 'completed' | 'incomplete' | 'cancelled'): Json {
    const { input } = this.#order
    const [text, audio] = [this.#text, this.#audio]
    const usage = {
      total_tokens: input.text + input.audio + text + audio,
      input_tokens: input.text + input.audio,
      output_tokens: text + audio,
      input_token_details: {
        ...{ text_tokens: input.text, audio_tokens: input.audio, image_tokens: 0 },
        ...{ cached_tokens: 0 },
      },
      output_token_details: { text_tokens: text, audio_tokens: audio },
    }
    return { type: 'response.done', response: this.#wire(status, usage) }
  }

  #wire(status: string, usage: Json | null): Json {
    const { isSpoken, voice, conversationId } = this.#order
    const reasons: Json = { incomplete: 'max_output_tokens', cancelled: 'client_cancelled' }
    const reason = reasons[status]
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: reason ? { type: status, reason } : null,
      output: [...this.#items],
      conversation_id: conversationId,
      output_modalities: [isSpoken ? 'audio' : 'text'],
      max_output_tokens: 'inf',
      audio: { output: { format: { type: 'audio/pcm', rate: 24_000 }, voice } },
      usage,
      metadata: null,
    }
  }

  *#item(item: Json, empty: Json, saying: Iterable<Json>): Iterable<Json> {
    const place = { response_id: this.id, output_index: this.#items.length }
    yield { type: 'response.output_item.added', ...place, item: empty }
    yield { type: 'conversation.item.added', previous_item_id: null, item: empty }
    for (const { type, ...fields } of saying) {
      yield { type, item_id: item.id, ...place, ...fields }
    }
    this.#items.push(item)
    yield { type: 'conversation.item.done', previous_item_id: null, item }
    yield { type: 'response.output_item.done', ...place, item }
  }

  *#message(text: string): Iterable<Json> {
    const { isSpoken, reply } = this.#order
    const status = reply.finish === 'length' ? 'incomplete' : 'completed'
    const part = isSpoken
      ? { type: 'output_audio', transcript: text }
      : { type: 'output_text', text }
    const item = { id: `item_${randomText(21)}`, type: 'message', role: 'assistant' }
    yield* this.#item(
      { ...item, status, content: [part] },
      { ...item, status: 'in_progress', content: [] },
      isSpoken ? this.#spoken(text) : this.#written(text),
    )
  }

  *#written(text: string): Iterable<Json> {
    const place = { content_index: 0 }
    yield { type: 'response.content_part.added', ...place, part: { type: 'text', text: '' } }
    for (const delta of pieces(text)) {
      this.#text += estimateTokens(delta)
      yield { type: 'response.output_text.delta', ...place, delta }
    }
    yield { type: 'response.output_text.done', ...place, text }
    yield { type: 'response.content_part.done', ...place, part: { type: 'text', text } }
  }

  *#spoken(transcript: string): Iterable<Json> {
    const place = { content_index: 0 }
    const part = { type: 'audio', transcript }
    yield { type: 'response.content_part.added', ...place, part: { ...part, transcript: '' } }
    for (const delta of pieces(transcript)) {
      this.#text += estimateTokens(delta)
      yield { type: 'response.output_audio_transcript.delta', ...place, delta }
    }
    const { samples } = toneOf(transcript, this.#order.voice, this.#order.speed)
    for (let at = 0; at < samples.length; at += PIECE) {
      const piece = samples.subarray(at, at + PIECE)
      this.#audio += Math.ceil((piece.length / 2 / PIECE) * TOKENS_A_SECOND)
      yield { type: 'response.output_audio.delta', ...place, delta: piece.toString('base64') }
    }
    yield { type: 'response.output_audio.done', ...place }
    yield { type: 'response.output_audio_transcript.done', ...place, transcript }
    yield { type: 'response.content_part.done', ...place, part }
  }

  *#call({ id, name, arguments: args }: NonNullable<EchoReply['toolCall']>): Iterable<Json> {
    const whole = JSON.stringify(args)
    const call_id = `call_${id}`
    const item = { id: `item_${randomText(21)}`, type: 'function_call', name, call_id }
    yield* this.#item(
      { ...item, status: 'completed', arguments: whole },
      { ...item, status: 'in_progress', arguments: '' },
      this.#calling(name, call_id, whole),
    )
  }

  *#calling(name: string, call_id: string, whole: string): Iterable<Json> {
    this.#text += estimateTokens(name)
    for (const delta of pieces(whole)) {
      this.#text += estimateTokens(delta)
      yield { type: 'response.function_call_arguments.delta', call_id, delta }
    }
    yield { type: 'response.function_call_arguments.done', call_id, name, arguments: whole }
  }
}
