import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { LocalFile, LocalRequest } from '../../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  eventsAnswer,
  jsonAnswer,
  openaiRefusal,
  refuse,
  typedEvent,
} from '../echo-endpoint.ts'
import type { Json } from '../json-access.ts'
import { readList, readWord } from '../read-field.ts'
import { pieces } from '../reply/pieces.ts'
import { wavSeconds } from './wav.ts'

/** A compressed voice of ordinary quality, in bytes a second. */
const VOICE_BYTES = 16_000

/** A sound file, as far as Echo understands it. */
interface Recording {
  /** Texts that Echo takes for its transcript. */
  text: string
  /** How long it plays; by its size where it is no WAV. */
  seconds: number
}

const timeOf = (seconds: number): string => `${Number(seconds.toFixed(2))} s`

function describe({ filename, contentType, bytes }: LocalFile, wav: number | null): string {
  const facts = [contentType, `${bytes.length} bytes`, ...(wav === null ? [] : [timeOf(wav)])]
  return `Echo: got ${filename || 'a file without a name'} (${facts.join(', ')}).`
}

/** The form's sound file. Throws `EchoRefusal` where there is none, or an empty one. */
function hear({ files }: LocalRequest): Recording {
  const file = files.find(({ field }) => field === 'file')
  if (!file) return refuse('file', 'must be a file')
  if (file.bytes.length === 0) return refuse('file', 'must not be empty')
  const wav = wavSeconds(file.bytes)
  return { text: describe(file, wav), seconds: wav ?? file.bytes.length / VOICE_BYTES }
}

/** Tokens for a second of sound. */
const TOKENS_A_SECOND = 10

/** `00:00:01,500`; WebVTT has a point in place of the comma. */
function clock(seconds: number, mark: ',' | '.'): string {
  const thousandths = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value) % 60).padStart(2, '0')
  const hours = String(Math.floor(thousandths / 3_600_000)).padStart(2, '0')
  const rest = String(thousandths % 1000).padStart(3, '0')
  return `${hours}:${two(thousandths / 60_000)}:${two(thousandths / 1000)}${mark}${rest}`
}

/** https://platform.openai.com/docs/api-reference/audio/json-object */
function tokensOf({ text, seconds }: Recording): Json {
  const audio_tokens = Math.ceil(seconds * TOKENS_A_SECOND)
  const output_tokens = estimateTokens(text)
  return {
    type: 'tokens',
    input_tokens: audio_tokens,
    input_token_details: { text_tokens: 0, audio_tokens },
    output_tokens,
    total_tokens: audio_tokens + output_tokens,
  }
}

/** Billed by whole seconds. */
const durationOf = ({ seconds }: Recording): Json => ({
  type: 'duration',
  seconds: Math.ceil(seconds),
})

/** https://platform.openai.com/docs/api-reference/audio/verbose-json-object */
function verbose(heard: Recording, task: string, body: Json): Json {
  const { text, seconds } = heard
  const words = text.split(' ')
  const at = (index: number) => (seconds * index) / words.length
  const isTimed = readList(body, 'timestamp_granularities').includes('word')
  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: seconds,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: 1,
    no_speech_prob: 0,
  }
  return {
    task,
    language: 'english',
    duration: seconds,
    text,
    segments: [segment],
    ...(isTimed
      ? { words: words.map((word, index) => ({ word, start: at(index), end: at(index + 1) })) }
      : {}),
    usage: durationOf(heard),
  }
}

/** https://platform.openai.com/docs/api-reference/audio/diarized-json-object: one speaker said all. */
const spoken = ({ text, seconds }: Recording): Json => ({
  type: 'transcript.text.segment',
  id: 'seg_0',
  start: 0,
  end: seconds,
  text,
  speaker: 'A',
})

function* events(heard: Recording, isDiarized: boolean): Iterable<string> {
  for (const delta of pieces(heard.text)) {
    const place = isDiarized ? { segment_id: 'seg_0' } : {}
    yield typedEvent('transcript.text.delta', { delta, ...place })
  }
  if (isDiarized) yield typedEvent('transcript.text.segment', spoken(heard))
  yield typedEvent('transcript.text.done', { text: heard.text, usage: tokensOf(heard) })
}

const plain = (text: string, contentType = 'text/plain'): EchoAnswer => ({
  contentType: `${contentType}; charset=utf-8`,
  parts: [text],
})

const translated = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
const transcribed = [...translated, 'diarized_json'] as const
/** Formats that can come as a stream. */
const streamed: readonly string[] = ['json', 'text', 'diarized_json']

function write(
  heard: Recording,
  form: (typeof transcribed)[number],
  verboseBody: Json,
): EchoAnswer {
  const { text, seconds } = heard
  switch (form) {
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
      return plain(`1\n${clock(0, ',')} --> ${clock(seconds, ',')}\n${text}\n\n`)
    case 'vtt':
      return plain(`WEBVTT\n\n${clock(0, '.')} --> ${clock(seconds, '.')}\n${text}\n\n`)
    case 'verbose_json':
      return jsonAnswer(verboseBody)
    case 'diarized_json': {
      const transcript = { task: 'transcribe', duration: seconds, text, segments: [spoken(heard)] }
      return jsonAnswer({ ...transcript, usage: tokensOf(heard) })
    }
    default:
      return jsonAnswer({ text, usage: tokensOf(heard) })
  }
}

function transcribe(request: LocalRequest): EchoAnswer {
  const { body, stream } = request
  const form = readWord(body, 'response_format', transcribed)
  const heard = hear(request)
  if (!stream) return write(heard, form, verbose(heard, 'transcribe', body))
  if (!streamed.includes(form)) {
    refuse('response_format', `cannot be streamed; what can: ${streamed.join(', ')}`)
  }
  return eventsAnswer(events(heard, form === 'diarized_json'))
}

function translate(request: LocalRequest): EchoAnswer {
  const form = readWord(request.body, 'response_format', translated)
  const heard = hear(request)
  return write(heard, form, verbose(heard, 'translate', request.body))
}

/** Echo's transcripts, which say what it got: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions: EchoEndpoint = { answer: transcribe, refuse: openaiRefusal }

/** The same in English: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations: EchoEndpoint = { answer: translate, refuse: openaiRefusal }
