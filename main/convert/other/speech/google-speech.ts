import type { ServerEvent } from '../../conversion.ts'
import type { Part, Usage } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type {
  BridgeAnswer,
  BridgeRequest,
  BridgeStream,
  BridgeTarget,
  FormatBridge,
} from '../bridge.ts'
import { GoogleEvents, readGoogleAnswer, withoutResult, wordsOf } from '../google-answer.ts'
import { invalidAnswer } from '../parse-answer.ts'
import { encodeGoogleSpeech, type SpeechForm, sendsEvents, speechForm } from './encode-google.ts'
import { Resampler, USUAL_RATE, wavHeader } from './pcm-output.ts'
import { PcmReader } from './pcm-reader.ts'

const NOTHING = Buffer.alloc(0)
const EVENTS = 'text/event-stream; charset=utf-8'

const eventOf = (event: JsonObject): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)

function doneEvent(usage: Usage | null): Buffer {
  if (!usage) return eventOf({ type: 'speech.audio.done' })
  const { input, output } = usage
  const tokens = { input_tokens: input, output_tokens: output, total_tokens: input + output }
  return eventOf({ type: 'speech.audio.done', usage: tokens })
}

/** The sound that parts hold, as samples in the rate that the client expects. */
class Speech {
  /** Sample rate of the output; null before there is any. */
  rate: number | null = null
  readonly #form: SpeechForm
  #reader: PcmReader | null = null
  #resampler: Resampler | null = null

  constructor(form: SpeechForm) {
    this.#form = form
  }

  /** Throws `upstream_invalid` for what is no PCM. */
  push(part: Part): Buffer {
    if (part.type !== 'media' || part.kind !== 'audio' || part.source.type !== 'base64') {
      return NOTHING
    }
    const { mediaType, data } = part.source
    // `audio/L16;codec=pcm;rate=24000`
    this.#reader ??= new PcmReader(Number(/rate=(\d+)/i.exec(mediaType)?.[1] ?? USUAL_RATE))
    const samples = this.#reader.push(Buffer.from(data, 'base64'))
    if (samples.length === 0) return NOTHING
    // A WAV file says its rate; of bare samples everybody expects the one.
    this.rate ??= this.#form === 'wav' ? this.#reader.rate : USUAL_RATE
    this.#resampler ??= new Resampler(this.#reader.rate, this.rate)
    return this.#resampler.push(samples)
  }
}

/** A whole answer: the sound as it is, or as events. Throws, in the model's own words, where it has none. */
function decode(
  answers: readonly Buffer[],
  request: BridgeRequest,
  target: BridgeTarget,
): BridgeAnswer {
  const [only] = answers
  const response = only ? readGoogleAnswer(only) : invalidAnswer('answer_missing')
  const form = speechForm(request, target)
  const speech = new Speech(form)
  const [choice] = response.choices
  const samples = Buffer.concat((choice?.parts ?? []).map((part) => speech.push(part)))
  const { usage } = response
  if (speech.rate === null || choice?.stop.reason !== 'end') {
    throw withoutResult(choice?.stop, wordsOf(response), 'speech')
  }
  const sound =
    form === 'pcm' ? samples : Buffer.concat([wavHeader(speech.rate, samples.length), samples])
  if (!sendsEvents(request, target)) return { body: sound, contentType: `audio/${form}`, usage }
  const delta = eventOf({ type: 'speech.audio.delta', audio: sound.toString('base64') })
  return { body: Buffer.concat([delta, doneEvent(usage)]), contentType: EVENTS, usage }
}

/** Speech as it comes: plain samples, or OpenAI's events with samples or pieces of a WAV file. */
class SpeechStream implements BridgeStream {
  readonly contentType: string
  readonly #isEvents: boolean
  readonly #form: SpeechForm
  readonly #events = new GoogleEvents()
  readonly #speech: Speech
  #hasSound = false
  #words = ''

  constructor(form: SpeechForm, isEvents: boolean) {
    this.#form = form
    this.#speech = new Speech(form)
    this.#isEvents = isEvents
    this.contentType = isEvents ? EVENTS : `audio/${form}`
  }

  /** Not before there is sound: until then an answer without any can still be told as a failure. */
  get hasBegun(): boolean {
    return this.#hasSound
  }

  get error() {
    return this.#events.error
  }

  get usage(): Usage | null {
    return this.#events.usage
  }

  onEvent(event: ServerEvent): Buffer {
    const out = this.#events.push(event).map((part) => {
      if (part.type === 'text-delta') this.#words += part.text
      return part.type === 'whole' ? this.#write(this.#speech.push(part.part)) : NOTHING
    })
    return Buffer.concat(out)
  }

  onBytes(chunk: Buffer): Buffer {
    return chunk.length === 0 ? NOTHING : invalidAnswer('answer_no_events')
  }

  end(): Buffer {
    this.#events.end()
    const { stop } = this.#events
    if (!this.#hasSound || stop?.reason !== 'end') {
      throw withoutResult(stop, this.#words.trim(), 'speech')
    }
    return this.#isEvents ? doneEvent(this.usage) : NOTHING
  }

  #write(samples: Buffer): Buffer {
    const { rate } = this.#speech
    if (rate === null || samples.length === 0) return NOTHING
    const isFirst = !this.#hasSound
    this.#hasSound = true
    const sound =
      isFirst && this.#form === 'wav' ? Buffer.concat([wavHeader(rate, null), samples]) : samples
    if (!this.#isEvents) return sound
    return eventOf({ type: 'speech.audio.delta', audio: sound.toString('base64') })
  }
}

/**
 * Speech of Google's models: https://ai.google.dev/gemini-api/docs/speech-generation. Samples and events come
 * as they are made. A WAV file comes whole: many players believe the length that stands at its beginning.
 */
export const googleSpeechBridge: FormatBridge = {
  from: 'speech',
  to: 'generate-content',
  encode: encodeGoogleSpeech,
  decode,
  streams: ({ body }) => body.response_format === 'pcm' || body.stream_format === 'sse',
  createStream: (request, target) =>
    new SpeechStream(speechForm(request, target), sendsEvents(request, target)),
}
