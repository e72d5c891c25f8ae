import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { LocalRequest } from '../../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  eventsAnswer,
  openaiRefusal,
  refuse,
  typedEvent,
} from '../echo-endpoint.ts'
import { asObject, asText, type Json } from '../json-access.ts'
import { readNumber, readText, readWord } from '../read-field.ts'
import { TONE_RATE, type Tone, toneOf } from './tone.ts'
import { wavFile } from './wav.ts'

/** OpenAI's limit: https://platform.openai.com/docs/api-reference/audio/createSpeech */
const MOST_CHARACTERS = 4096
/** A second of sound a piece. */
const PIECE = TONE_RATE * 2
/** Tokens for a second of sound. */
const TOKENS_A_SECOND = 20

function readVoice({ voice }: Json): string {
  const name = asText(voice) || asText(asObject(voice).id)
  if (name === '') refuse('voice', 'must be a name, or an object with an id')
  return name
}

function* piecesOf(file: Buffer): Iterable<Buffer> {
  for (let at = 0; at < file.length; at += PIECE) yield file.subarray(at, at + PIECE)
}

function* events(file: Buffer, input: string, { seconds }: Tone): Iterable<string> {
  for (const piece of piecesOf(file)) {
    yield typedEvent('speech.audio.delta', { audio: piece.toString('base64') })
  }
  const input_tokens = estimateTokens(input)
  const output_tokens = Math.ceil(seconds * TOKENS_A_SECOND)
  const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
  yield typedEvent('speech.audio.done', { usage })
}

function answer({ body }: LocalRequest): EchoAnswer {
  const input = readText(body, 'input')
  if (input.length > MOST_CHARACTERS) refuse('input', `must be at most ${MOST_CHARACTERS} long`)
  const speed = readNumber(body, 'speed', [0.25, 4]) ?? 1
  // OpenAI's default is mp3, which Echo can't make; the answer's type says which form it is.
  const form = readWord(body, 'response_format', ['wav', 'pcm'])
  const tone = toneOf(input, readVoice(body), speed)
  const file = form === 'wav' ? wavFile(tone.samples, TONE_RATE) : tone.samples
  const asEvents = readWord(body, 'stream_format', ['audio', 'sse']) === 'sse'
  if (asEvents) return eventsAnswer(events(file, input, tone))
  return { contentType: `audio/${form}`, parts: piecesOf(file) }
}

/** Echo's speech, a note a word: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speech: EchoEndpoint = { answer, refuse: openaiRefusal }
