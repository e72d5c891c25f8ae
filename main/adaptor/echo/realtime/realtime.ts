import { unixSeconds } from '../../../base/clock.ts'
import { randomText } from '../../../base/ids.ts'
import type { FrameSocket } from '../../../base/net/frame-socket.ts'
import type { SocketCall } from '../../adaptor.ts'
import { inputTokens } from '../input-tokens.ts'
import { asArray, asLimit, asObject, asText, type Json } from '../json-access.ts'
import { replyTo } from '../reply/echo-reply.ts'
import { type EchoSession, LocalSocket } from './local-socket.ts'
import {
  audioTokens,
  BYTES_A_SECOND,
  itemOf,
  lastSaid,
  type RealtimeItem,
  sizeOf,
} from './realtime-items.ts'
import { RealtimeResponse } from './realtime-response.ts'
import { ResponsesEcho } from './responses-socket.ts'

/** OpenAI's longest session, in seconds. */
const LONGEST = 3600
/** Items of a conversation that are kept, the newest. */
const MOST_ITEMS = 500

const PCM = { type: 'audio/pcm', rate: 24_000 }

const sessionOf = (model: string): Json => ({
  type: 'realtime',
  object: 'realtime.session',
  id: `sess_${randomText(21)}`,
  model,
  output_modalities: ['audio'],
  instructions: '',
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: 'inf',
  tracing: null,
  truncation: 'auto',
  prompt: null,
  expires_at: unixSeconds() + LONGEST,
  audio: {
    // Echo does not listen for pauses: it answers when it is asked.
    input: { format: PCM, transcription: null, noise_reduction: null, turn_detection: null },
    output: { format: PCM, voice: 'alloy', speed: 1 },
  },
  include: null,
})

function* toolsOf(tools: unknown): Iterable<{ name: string; schema: Json }> {
  for (const tool of asArray(tools).map(asObject)) {
    if (tool.type === 'function') {
      yield { name: asText(tool.name), schema: asObject(tool.parameters) }
    }
  }
}

function toolChoiceOf(choice: unknown): 'auto' | 'none' | 'required' | { name: string } {
  if (choice === 'none' || choice === 'required') return choice
  const { type, name } = asObject(choice)
  return type === 'function' ? { name: asText(name) } : 'auto'
}

/** A client's object may have a `toString` of its own, which is no function. */
const unknownType = ({ type }: Json): string =>
  typeof type === 'string' ? `type: "${type}" is not known.` : 'type: must be a string.'

/**
 * Echo's realtime session in OpenAI's messages, as they are since the beta ended
 * (https://platform.openai.com/docs/api-reference/realtime-server-events). It says back what was said last,
 * in text or as a melody; sound it cannot understand, only measure.
 */
class RealtimeEcho implements EchoSession {
  #session: Json
  readonly #conversationId = `conv_${randomText(21)}`
  #items: RealtimeItem[] = []
  #heardBytes = 0
  #active: RealtimeResponse | null = null

  constructor(model: string) {
    this.#session = sessionOf(model)
  }

  *open(): Iterable<Json> {
    yield this.#event({ type: 'session.created', session: this.#session })
  }

  interrupts(event: Json): boolean {
    return event.type === 'response.cancel' && this.#active !== null
  }

  refuse(message: string): Json {
    return this.#error(message, null, 'invalid_json', {})
  }

  *answer(event: Json): Iterable<Json> {
    for (const answer of this.#say(event)) yield this.#event(answer)
  }

  #say(event: Json): Iterable<Json> {
    switch (event.type) {
      case 'session.update':
        return [this.#update(event)]
      case 'conversation.item.create':
        return this.#add(event)
      case 'conversation.item.retrieve':
      case 'conversation.item.delete':
      case 'conversation.item.truncate':
        return [this.#handle(event)]
      case 'input_audio_buffer.append':
        this.#heardBytes += sizeOf(event.audio)
        return []
      case 'input_audio_buffer.clear':
        this.#heardBytes = 0
        return [{ type: 'input_audio_buffer.cleared' }]
      case 'input_audio_buffer.commit':
        return this.#commit(event)
      case 'response.create':
        return this.#respond(asObject(event.response), event)
      case 'response.cancel':
        return [this.#cancel(event)]
      default:
        return [this.#error(unknownType(event), 'type', 'invalid_value', event)]
    }
  }

  #event = ({ type, ...fields }: Json): Json => ({
    type,
    event_id: `event_${randomText(21)}`,
    ...fields,
  })

  #error(message: string, param: string | null, code: string, { event_id = null }: Json): Json {
    const type = 'invalid_request_error'
    return this.#event({ type: 'error', error: { type, code, message, param, event_id } })
  }

  #update(event: Json): Json {
    const wanted = asObject(event.session)
    const { input, output } = asObject(wanted.audio)
    const before = asObject(this.#session.audio)
    for (const [side, place] of [
      [asObject(input), 'input'],
      [asObject(output), 'output'],
    ] as const) {
      const { type = PCM.type } = asObject(side.format)
      if (type !== PCM.type) {
        const field = `session.audio.${place}.format`
        return this.#error(`${field}: Echo has ${PCM.type} only.`, field, 'invalid_value', event)
      }
    }
    this.#session = {
      ...this.#session,
      ...wanted,
      id: this.#session.id,
      model: this.#session.model,
      audio: {
        input: { ...asObject(before.input), ...asObject(input), turn_detection: null },
        output: { ...asObject(before.output), ...asObject(output) },
      },
    }
    return { type: 'session.updated', session: this.#session }
  }

  *#add(event: Json): Iterable<Json> {
    const sent = asObject(event.item)
    if (asText(sent.type) === '') {
      yield this.#error('item.type: is required.', 'item.type', 'missing_required_parameter', event)
      return
    }
    yield* this.#keep(itemOf(sent))
  }

  *#keep(item: RealtimeItem): Iterable<Json> {
    const previous_item_id = this.#items.at(-1)?.wire.id ?? null
    this.#items = [...this.#items.slice(1 - MOST_ITEMS), item]
    yield { type: 'conversation.item.added', previous_item_id, item: item.wire }
    yield { type: 'conversation.item.done', previous_item_id, item: item.wire }
  }

  /** Shows, removes or shortens an item. */
  #handle(event: Json): Json {
    const { item_id } = event
    const item = this.#items.find(({ wire }) => wire.id === item_id)
    if (!item) {
      const message = `item_id: there is no item "${item_id}".`
      return this.#error(message, 'item_id', 'invalid_value', event)
    }
    if (event.type === 'conversation.item.retrieve') {
      return { type: 'conversation.item.retrieved', item: item.wire }
    }
    if (event.type === 'conversation.item.delete') {
      this.#items = this.#items.filter((one) => one !== item)
      return { type: 'conversation.item.deleted', item_id }
    }
    const { content_index = 0, audio_end_ms = 0 } = event
    return { type: 'conversation.item.truncated', item_id, content_index, audio_end_ms }
  }

  *#commit(event: Json): Iterable<Json> {
    const soundBytes = this.#heardBytes
    this.#heardBytes = 0
    if (soundBytes === 0) {
      const message = 'The input audio buffer is empty: append sound before you commit it.'
      yield this.#error(message, null, 'input_audio_buffer_commit_empty', event)
      return
    }
    const seconds = soundBytes / BYTES_A_SECOND
    const transcript = `(${seconds.toFixed(1)} seconds of sound)`
    const content = [{ type: 'input_audio', transcript, text: transcript }]
    const item = { ...itemOf({ type: 'message', role: 'user', content }), soundBytes }
    const previous_item_id = this.#items.at(-1)?.wire.id ?? null
    const item_id = item.wire.id
    yield { type: 'input_audio_buffer.committed', previous_item_id, item_id }
    yield* this.#keep(item)
    const { transcription } = asObject(asObject(this.#session.audio).input)
    const { model } = asObject(transcription)
    if (!transcription) return
    // OpenAI's Whisper is sold by the second, what came after it by the token.
    const output_tokens = inputTokens(transcript)
    const input_tokens = audioTokens(soundBytes)
    const usage =
      model === 'whisper-1'
        ? { type: 'duration', seconds }
        : {
            type: 'tokens',
            ...{ total_tokens: input_tokens + output_tokens, input_tokens, output_tokens },
            input_token_details: { text_tokens: 0, audio_tokens: input_tokens },
          }
    const type = 'conversation.item.input_audio_transcription.completed'
    yield { type, item_id, content_index: 0, transcript, usage }
  }

  *#respond(wanted: Json, event: Json): Iterable<Json> {
    const settings = { ...this.#session, ...wanted }
    const sent = asArray(wanted.input).map((one) => itemOf(asObject(one)))
    const items = Array.isArray(wanted.input) ? sent : this.#items
    const modalities = asArray(settings.output_modalities)
    if (!modalities.every((one) => one === 'audio' || one === 'text')) {
      const field = 'response.output_modalities'
      yield this.#error(`${field}: must be ["audio"] or ["text"].`, field, 'invalid_value', event)
      return
    }
    const read = [settings.instructions, items.map(({ wire }) => wire), settings.tools]
    const input = {
      text: inputTokens(read),
      audio: audioTokens(items.reduce((sum, { soundBytes }) => sum + soundBytes, 0)),
    }
    const reply = replyTo({
      ...lastSaid(items),
      tools: [...toolsOf(settings.tools)],
      toolChoice: toolChoiceOf(settings.tool_choice),
      maxTokens: asLimit(settings.max_output_tokens),
      stop: [],
      thinking: false,
      json: null,
      inputTokens: input.text + input.audio,
    })
    const output = {
      ...asObject(asObject(this.#session.audio).output),
      ...asObject(asObject(wanted.audio).output),
    }
    const response = new RealtimeResponse({
      reply,
      isSpoken: !modalities.includes('text'),
      voice: asText(output.voice) || 'alloy',
      speed: typeof output.speed === 'number' && output.speed > 0 ? output.speed : 1,
      input,
      conversationId: this.#conversationId,
    })
    this.#active = response
    yield* response.events()
    this.#active = null
    // A response beside the conversation leaves nothing in it.
    if (wanted.conversation === 'none') return
    const spoken = response.items.map((wire) => ({ wire, soundBytes: 0 }))
    this.#items = [...this.#items, ...spoken].slice(-MOST_ITEMS)
  }

  #cancel(event: Json): Json {
    const response = this.#active
    this.#active = null
    if (response) return response.done('cancelled')
    const message = 'Cancellation failed: no active response found.'
    return this.#error(message, null, 'response_cancel_not_active', event)
  }
}

/** Opens a WebSocket to Echo, for a realtime session or for Responses. */
export const openEchoSession = ({ format, model }: SocketCall): FrameSocket =>
  new LocalSocket(format === 'realtime' ? new RealtimeEcho(model) : new ResponsesEcho(model))
