import { GatewayError } from '../../../base/errors.ts'
import type { ServerEvent } from '../../conversion.ts'
import type { Usage } from '../../exchange.ts'
import type { Stop } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import type { BridgeAnswer, BridgeRequest, BridgeStream } from '../bridge.ts'
import { GoogleEvents, readGoogleAnswer, withoutResult, wordsOf } from '../google-answer.ts'
import { invalidAnswer } from '../parse-answer.ts'

const NOTHING = Buffer.alloc(0)

function usageField(usage: Usage | null): JsonObject {
  if (!usage) return {}
  const { input, output, detail } = usage
  const sound = detail?.inputAudio
  return {
    usage: {
      type: 'tokens',
      input_tokens: input,
      ...(sound === undefined
        ? {}
        : { input_token_details: { text_tokens: input - sound, audio_tokens: sound } }),
      output_tokens: output,
      total_tokens: input + output,
    },
  }
}

/** Throws where the text is not the whole of what is said: half a transcript looks like a whole one. */
function checkStop(stop: Stop | undefined): void {
  if (stop === undefined || stop.reason === 'end') return
  if (stop.reason === 'length') {
    throw new GatewayError('upstream_invalid', {
      message:
        'The model stopped before the recording’s end: its transcript is longer than one answer may be.',
      reason: { code: 'transcript_cut' },
    })
  }
  throw withoutResult(stop, '', 'transcript')
}

const eventOf = (event: JsonObject): string => `data: ${JSON.stringify(event)}\n\n`

const doneEvent = (text: string, usage: Usage | null): string =>
  eventOf({ type: 'transcript.text.done', text, ...usageField(usage) })

const EVENTS = 'text/event-stream; charset=utf-8'

/** OpenAI's transcript out of a whole answer of Google's: JSON, plain text, or a stream of one piece. */
export function decodeTranscription(
  answers: readonly Buffer[],
  request: BridgeRequest,
): BridgeAnswer {
  const [only] = answers
  const response = only ? readGoogleAnswer(only) : invalidAnswer('answer_missing')
  checkStop(response.choices[0]?.stop)
  const text = wordsOf(response)
  const { usage } = response
  if (request.stream) {
    const delta = text === '' ? '' : eventOf({ type: 'transcript.text.delta', delta: text })
    return { body: Buffer.from(delta + doneEvent(text, usage)), contentType: EVENTS, usage }
  }
  if (request.body.response_format === 'text') {
    return { body: Buffer.from(`${text}\n`), contentType: 'text/plain; charset=utf-8', usage }
  }
  const body = Buffer.from(JSON.stringify({ text, ...usageField(usage) }))
  return { body, contentType: 'application/json', usage }
}

/** Writes OpenAI's stream of a transcript: https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event */
export class TranscriptStream implements BridgeStream {
  readonly contentType = EVENTS
  readonly #events = new GoogleEvents()
  #text = ''

  get hasBegun(): boolean {
    return this.#events.hasBegun
  }

  get error() {
    return this.#events.error
  }

  get usage(): Usage | null {
    return this.#events.usage
  }

  onEvent(event: ServerEvent): Buffer {
    return Buffer.from(this.#write(this.#events.push(event)))
  }

  onBytes(chunk: Buffer): Buffer {
    return chunk.length === 0 ? NOTHING : invalidAnswer('answer_no_events')
  }

  end(): Buffer {
    const rest = this.#write(this.#events.end())
    checkStop(this.#events.stop)
    return Buffer.from(rest + doneEvent(this.#text.trim(), this.usage))
  }

  #write(parts: readonly StreamPart[]): string {
    let out = ''
    for (const part of parts) {
      if (part.type !== 'text-delta') continue
      // Some models begin with an empty line.
      const delta = this.#text === '' ? part.text.trimStart() : part.text
      if (delta === '') continue
      this.#text += delta
      out += eventOf({ type: 'transcript.text.delta', delta })
    }
    return out
  }
}
