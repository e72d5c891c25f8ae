import type { Reply } from '../../upstreams/scripted-upstream.ts'
import { dataLine } from '../answers/answer.ts'
import { demand, type Json, numberWithin, oneOf, onlyFields } from '../requests/refusal.ts'
import { checkCompletions } from './check-completions.ts'
import { embeddingsVendors } from './check-embeddings.ts'
import { answerImages, checkImageEdit, checkImageGeneration } from './check-images.ts'
import { checkSpeech, tone, wavFile } from './check-speech.ts'
import { answerTranscript, checkTranscription } from './check-transcriptions.ts'
import type { OtherEndpoint, OtherRequest, OtherTable } from './other-endpoint.ts'

/** The completion of every prompt by OpenAI's models, in the pieces of a stream. */
export const COMPLETION = ['Half a ', 'league, half a ', 'league onward.'] as const
/** The transcript of every recording by OpenAI's models, in the pieces of a stream. */
export const HEARD = ['Cannon to right ', 'of them.'] as const

const completionUsage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 }

function answerCompletion({ body }: OtherRequest): Reply {
  checkCompletions(body)
  const head = { id: 'cmpl-7', object: 'text_completion', created: 1_790_000_000 }
  const named = { ...head, model: body.model }
  const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== 'number' ? body.prompt : 1
  const count = (Array.isArray(prompts) ? prompts.length : 1) * Number(body.n ?? 1)
  const choice = (text: string, index: number, finish: string | null) => ({
    text,
    index,
    logprobs: null,
    finish_reason: finish,
  })
  if (body.stream !== true) {
    const choices = Array.from({ length: count }, (_, at) =>
      choice(COMPLETION.join(''), at, 'stop'),
    )
    return { body: { ...named, choices, usage: completionUsage } }
  }
  const wantsUsage = (body.stream_options as Json | undefined)?.include_usage === true
  const usage = wantsUsage ? { usage: null } : {}
  return {
    chunks: [
      ...COMPLETION.map((text) =>
        dataLine({ ...named, choices: [choice(text, 0, null)], ...usage }),
      ),
      dataLine({ ...named, choices: [choice('', 0, 'stop')], ...usage }),
      ...(wantsUsage ? [dataLine({ ...named, choices: [], usage: completionUsage })] : []),
      'data: [DONE]\n\n',
    ],
    pause: 1,
  }
}

/** Little-endian float32, as OpenAI writes `encoding_format: base64`. */
const asBase64 = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64')

function answerEmbeddings({ body }: OtherRequest): Reply {
  const { check, answer } = embeddingsVendors.embeddings
  check(body, '')
  const whole = answer(body)
  if (body.encoding_format !== 'base64') return { body: whole }
  const data = (whole.data as { embedding: number[] }[]).map((item) => ({
    ...item,
    embedding: asBase64(item.embedding),
  }))
  return { body: { ...whole, data } }
}

function answerPictures(
  { body }: OtherRequest,
  events: 'image_generation' | 'image_edit',
  streams: boolean,
): Reply {
  const { whole, chunks } = answerImages(Number(body.n ?? 1), events)
  return streams ? { chunks, pause: 1 } : { body: whole }
}

/** https://platform.openai.com/docs/api-reference/images/createVariation : dall-e-2 alone, which tells no usage. */
function answerVariation({ body, files }: OtherRequest): Reply {
  onlyFields(body, '', 'model n size response_format user')
  const [image, second] = files
  demand(image && !second && image.field === 'image', 'image', 'one image is required')
  oneOf(image.contentType, 'image', 'image/png')
  const count = body.n === undefined ? 1 : numberWithin(Number(body.n), 'n', 1, 10)
  const data = Array.from({ length: count }, (_, at) => ({
    url: `https://images.example/${at}.png`,
  }))
  return { body: { created: 1_790_000_000, data } }
}

/** A recording's text as OpenAI writes it in each of its formats. */
function written(format: string): Reply {
  const text = HEARD.join('')
  const plain = { 'content-type': 'text/plain; charset=utf-8' }
  if (format === 'text') return { body: `${text}\n`, headers: plain }
  if (format === 'srt') {
    return { body: `1\n00:00:00,000 --> 00:00:02,500\n${text}\n\n\n`, headers: plain }
  }
  if (format === 'vtt') {
    return { body: `WEBVTT\n\n00:00:00.000 --> 00:00:02.500\n${text}\n\n`, headers: plain }
  }
  if (format === 'diarized_json') {
    const spoken = { type: 'transcript.text.segment', id: 'seg_0', start: 0, end: 2.5 }
    const segments = [{ ...spoken, speaker: 'A', text }]
    const usage = { type: 'duration', seconds: 3 }
    return { body: { task: 'transcribe', duration: 2.5, text, segments, usage } }
  }
  const segment = { id: 0, seek: 0, start: 0, end: 2.5, text, tokens: [1, 2], temperature: 0 }
  const scores = { avg_logprob: -0.2, compression_ratio: 0.9, no_speech_prob: 0.01 }
  const facts = { task: 'transcribe', language: 'english', duration: 2.5 }
  const usage = { type: 'duration', seconds: 3 }
  return { body: { ...facts, text, segments: [{ ...segment, ...scores }], usage } }
}

function answerTranscription({ fields, files, body }: OtherRequest): Reply {
  checkTranscription(fields, files)
  const format = String(body.response_format ?? 'json')
  if (format !== 'json') return written(format)
  const { whole, chunks } = answerTranscript(HEARD)
  // whisper-1 does not stream, and ignores the wish.
  const streams = body.stream === 'true' && !String(body.model).startsWith('whisper')
  return streams ? { chunks, pause: 1 } : { body: whole }
}

/** https://platform.openai.com/docs/api-reference/audio/createTranslation : whisper-1 alone, no stream. */
function answerTranslation({ fields, files, body }: OtherRequest): Reply {
  onlyFields(body, '', 'model prompt response_format temperature')
  oneOf(body.model, 'model', 'whisper-1')
  checkTranscription(fields, files)
  const format = String(body.response_format ?? 'json')
  return format === 'json' ? { body: { text: HEARD.join('') } } : written(format)
}

const SOUND_TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

/** OpenAI's speech: samples, in a file for WAV; for packed formats any bytes do. */
export const spoken = (format: string): Buffer =>
  format === 'wav' ? wavFile(tone(6000), 24_000) : tone(6000)

function answerSpeech({ body }: OtherRequest): Reply {
  checkSpeech(body)
  const format = String(body.response_format ?? 'mp3')
  const sound = spoken(format)
  const pieces: Buffer[] = []
  for (let at = 0; at < sound.length; at += 1999) pieces.push(sound.subarray(at, at + 1999))
  if (body.stream_format !== 'sse') {
    const headers = { 'content-type': SOUND_TYPES[format] ?? '' }
    return { chunks: pieces, headers, pause: 1 }
  }
  const usage = { input_tokens: 8, output_tokens: 48, total_tokens: 56 }
  return {
    chunks: [
      ...pieces.map((piece) =>
        dataLine({ type: 'speech.audio.delta', audio: piece.toString('base64') }),
      ),
      dataLine({ type: 'speech.audio.done', usage }),
    ],
    pause: 1,
  }
}

const json = (answer: OtherEndpoint['answer']): OtherEndpoint => ({ takes: 'json', answer })
const form = (answer: OtherEndpoint['answer']): OtherEndpoint => ({ takes: 'form', answer })

/** Endpoints of OpenAI, and of the hosts that imitate it. */
export const openAiEndpoints: OtherTable = {
  '/v1/completions': json(answerCompletion),
  '/v1/embeddings': json(answerEmbeddings),
  '/v1/images/generations': json((asked) => {
    checkImageGeneration(asked.body)
    return answerPictures(asked, 'image_generation', asked.body.stream === true)
  }),
  '/v1/images/edits': form((asked) => {
    checkImageEdit(asked.fields, asked.files)
    return answerPictures(asked, 'image_edit', asked.body.stream === 'true')
  }),
  '/v1/images/variations': form(answerVariation),
  '/v1/audio/transcriptions': form(answerTranscription),
  '/v1/audio/translations': form(answerTranslation),
  '/v1/audio/speech': json(answerSpeech),
}
