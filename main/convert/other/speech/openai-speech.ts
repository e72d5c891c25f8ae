import type { Usage } from '../../exchange.ts'
import { decodeRequest } from '../../generate-content/request/decode-request.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { BridgeAnswer, BridgeRequest, BridgeStream, FormatBridge } from '../bridge.ts'
import { invalidAnswer, parseAnswer } from '../parse-answer.ts'
import { encodeOpenaiSpeech, spokenText } from './openai-request.ts'
import { USUAL_RATE } from './pcm-output.ts'
import { PcmReader } from './pcm-reader.ts'
import { spokenUsage } from './speech-request.ts'

const NOTHING = Buffer.alloc(0)
const OPEN_OBJECT = 0x7b

/** An answer of Gemini's, or one chunk of it: https://ai.google.dev/gemini-api/docs/speech-generation */
function chunkOf(
  samples: Buffer,
  rate: number,
  isLast: boolean,
  { model }: BridgeRequest,
): JsonObject {
  const mimeType = `audio/L16;codec=pcm;rate=${rate}`
  const parts =
    samples.length > 0 ? [{ inlineData: { mimeType, data: samples.toString('base64') } }] : []
  return {
    candidates: [
      { content: { parts, role: 'model' }, ...(isLast ? { finishReason: 'STOP' } : {}), index: 0 },
    ],
    modelVersion: model,
  }
}

/** The vendor counts nothing beside its sound; what it was to speak is known. */
const usageOf = ({ body }: BridgeRequest): Usage =>
  spokenUsage({ input: spokenText(decodeRequest(body)) })

function decode(answers: readonly Buffer[], request: BridgeRequest): BridgeAnswer {
  const sound = Buffer.concat(answers)
  // No sound begins so.
  if (sound[0] === OPEN_OBJECT) parseAnswer(sound)
  const reader = new PcmReader(USUAL_RATE)
  const samples = reader.push(sound)
  if (samples.length === 0) invalidAnswer('answer_no_sound')
  const answer = chunkOf(samples, reader.rate, true, request)
  return {
    body: Buffer.from(JSON.stringify(answer)),
    contentType: 'application/json; charset=utf-8',
    usage: usageOf(request),
  }
}

/** Sound as it comes, in chunks of Gemini's: as events, or as items of one JSON array. */
class SpokenChunks implements BridgeStream {
  readonly contentType: string
  readonly error = null
  readonly #request: BridgeRequest
  readonly #reader = new PcmReader(USUAL_RATE)
  hasBegun = false

  constructor(request: BridgeRequest) {
    this.#request = request
    this.contentType = request.asArray
      ? 'application/json; charset=utf-8'
      : 'text/event-stream; charset=utf-8'
  }

  get usage(): Usage {
    return usageOf(this.#request)
  }

  onEvent(): Buffer {
    return invalidAnswer('answer_events_not_sound')
  }

  onBytes(chunk: Buffer): Buffer {
    const samples = this.#reader.push(chunk)
    return samples.length === 0 ? NOTHING : this.#write(samples, false)
  }

  end(): Buffer {
    if (!this.hasBegun) invalidAnswer('answer_no_sound')
    return this.#write(NOTHING, true)
  }

  #write(samples: Buffer, isLast: boolean): Buffer {
    const item = JSON.stringify(chunkOf(samples, this.#reader.rate, isLast, this.#request))
    const before = this.hasBegun ? ',\n' : '['
    this.hasBegun = true
    if (!this.#request.asArray) return Buffer.from(`data: ${item}\n\n`)
    return Buffer.from(before + item + (isLast ? ']' : ''))
  }
}

/** Gemini's AUDIO, spoken by an upstream that has OpenAI's `/v1/audio/speech`. */
export const openaiSpeechBridge: FormatBridge = {
  from: 'generate-content',
  to: 'speech',
  encode: (request, target) => [encodeOpenaiSpeech(request, target)],
  decode,
  streams: ({ stream }) => stream,
  createStream: (request) => new SpokenChunks(request),
}
