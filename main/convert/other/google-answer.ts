import { GatewayError } from '../../base/errors.ts'
import type { ServerEvent, StreamDecoder } from '../conversion.ts'
import type { VendorError } from '../events/stream-scanner.ts'
import type { Usage } from '../exchange.ts'
import type { ExchangeResponse, Stop } from '../exchange-response.ts'
import { decodeResponse } from '../generate-content/answer/decode-response.ts'
import { createDecoder } from '../generate-content/stream/decode-stream.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import { invalidAnswer, parseAnswer } from './parse-answer.ts'

/** A whole answer of generateContent. Throws `upstream_invalid` for what is none. */
export const readGoogleAnswer = (answer: Buffer): ExchangeResponse =>
  decodeResponse(parseAnswer(answer))

/** The words of an answer, without the model's thoughts. */
export const wordsOf = ({ choices }: ExchangeResponse): string =>
  (choices[0]?.parts ?? [])
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()

/** Reasons that lie in what was asked, which no repetition heals. */
const isAsked = ({ reason, vendorReason }: Stop): boolean =>
  reason === 'content-filter' || vendorReason === 'NO_IMAGE'

/** The codes of what was asked for. */
const unmade = {
  image: 'no_image_made',
  speech: 'no_speech_made',
  transcript: 'no_transcript_made',
} as const

/**
 * Error where an answer does not hold the thing asked for: the model's own sentence. A 400 where the request is the reason, else `upstream_invalid`.
 */
export function withoutResult(
  stop: Stop | undefined,
  words: string,
  what: keyof typeof unmade,
): GatewayError {
  const { explanation, vendorReason } = stop ?? {}
  const explained = [words, explanation].filter(Boolean).join(' ')
  const why = vendorReason === undefined || vendorReason === 'STOP' ? '' : ` (${vendorReason})`
  const problem = {
    message: `The model made no ${what}${why}${explained === '' ? '.' : `: ${explained}`}`,
    reason: { code: unmade[what], why, said: explained },
  } as const
  if (words === '' && !(stop && isAsked(stop))) return new GatewayError('upstream_invalid', problem)
  return new GatewayError('upstream_error', {
    ...problem,
    status: 400,
    // OpenAI's code for what its own filter stops.
    ...(stop?.reason === 'content-filter' ? { vendorCode: 'moderation_blocked' } : {}),
  })
}

/** A stream of generateContent, of one answer, on its way to a format that is no conversation. */
export class GoogleEvents {
  readonly #decoder: StreamDecoder = createDecoder()
  hasBegun = false
  error: VendorError | null = null
  usage: Usage | null = null
  /** Why the answer ended; undefined before that. */
  stop: Stop | undefined

  /** Parts that the event adds. Throws `upstream_invalid`. */
  push(event: ServerEvent): readonly StreamPart[] {
    try {
      return this.#look(this.#decoder.push(event))
    } catch (error) {
      if (error instanceof SyntaxError) invalidAnswer('answer_event_no_json')
      throw error
    }
  }

  /** The last that there is. Throws `upstream_cut` where the vendor did not say that the answer is whole. */
  end(): readonly StreamPart[] {
    const parts = this.#look(this.#decoder.end())
    if (parts.at(-1)?.type === 'response-end') return parts
    throw new GatewayError('upstream_cut', {
      message: 'The upstream ended the stream before the answer was complete.',
      reason: { code: 'upstream_cut_short' },
    })
  }

  #look(parts: readonly StreamPart[]): readonly StreamPart[] {
    for (const part of parts) {
      this.hasBegun = true
      if (part.type === 'usage') this.usage = part.usage
      else if (part.type === 'stop') this.stop = part.stop
      else if (part.type === 'error') {
        const { message, status, code } = part
        this.error = { message, status, code }
      }
    }
    return parts
  }
}
