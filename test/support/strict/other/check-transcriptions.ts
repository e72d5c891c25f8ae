import { isBase64 } from '../../../../main/base/text/is-base64.ts'
import type { BridgeFile } from '../../../../main/convert/other/bridge.ts'
import { dataLine } from '../answers/answer.ts'
import {
  demand,
  type Json,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  textAt,
} from '../requests/refusal.ts'

const FIELDS =
  'model language prompt response_format temperature timestamp_granularities[] include[] chunking_strategy stream known_speaker_names[] known_speaker_references[]'
const ENDINGS = 'flac mp3 mp4 mpeg mpga m4a ogg wav webm'

/** Refuses what OpenAI refuses of a form at /audio/transcriptions. */
export function checkTranscription(
  fields: Readonly<Record<string, readonly string[]>>,
  files: readonly BridgeFile[],
): void {
  onlyFields(fields as Json, '', FIELDS)
  const model = textAt(fields.model?.[0], 'model')
  const format = fields.response_format?.[0] ?? 'json'
  const taken = model.includes('diarize')
    ? 'json text diarized_json'
    : model.startsWith('gpt-')
      ? 'json'
      : 'json text srt verbose_json vtt'
  oneOf(format, 'response_format', taken)
  const [file, second] = files
  demand(file && !second && file.field === 'file', 'file', 'one file is required')
  // The decoder is chosen by the name.
  oneOf(file.filename.split('.').at(-1), 'file', ENDINGS)
  demand(file.bytes.length > 0, 'file', 'Audio file might be corrupted or unsupported')
  if (fields.temperature) numberWithin(Number(fields.temperature[0]), 'temperature', 0, 1)
  if (fields.stream) oneOf(fields.stream[0], 'stream', 'true false')
  if (fields['timestamp_granularities[]']) {
    demand(format === 'verbose_json', 'response_format', 'must be verbose_json for time stamps')
  }
}

const tokens = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 9,
  total_tokens: 23,
}

/** OpenAI's answer in its JSON, and as a stream with one piece per event. */
export function answerTranscript(pieces: readonly string[]): {
  whole: Json
  chunks: readonly string[]
} {
  const text = pieces.join('')
  return {
    whole: { text, usage: tokens },
    chunks: [
      ...pieces.map((delta) => dataLine({ type: 'transcript.text.delta', delta })),
      dataLine({ type: 'transcript.text.done', text, usage: tokens }),
    ],
  }
}

const SOUNDS = 'audio/wav audio/mp3 audio/m4a audio/aac audio/aiff audio/ogg audio/flac audio/webm'

/** Refuses what Google refuses of a call for a transcript; gives the recording's bytes. */
export function checkGoogleTranscription(body: Json): Buffer {
  onlyFields(body, '', 'contents generationConfig')
  const [content, second] = objectsAt(body.contents, 'contents')
  demand(content && !second, 'contents', 'one turn')
  const [said, heard, more] = objectsAt(content.parts, 'contents[0].parts')
  demand(said && heard && !more, 'contents[0].parts', 'a text and a recording')
  demand(textAt(said.text, 'text') !== '', 'text', 'must have a text parameter')
  const blob = objectAt(heard.inlineData, 'inlineData')
  onlyFields(blob, 'inlineData', 'mimeType data')
  oneOf(blob.mimeType, 'inlineData.mimeType', SOUNDS)
  const data = textAt(blob.data, 'inlineData.data')
  demand(isBase64(data), 'inlineData.data', 'Base64 decoding failed')
  if (body.generationConfig !== undefined) {
    const config = objectAt(body.generationConfig, 'generationConfig')
    onlyFields(config, 'generationConfig', 'temperature')
    if (config.temperature !== undefined) {
      numberWithin(config.temperature, 'generationConfig.temperature', 0, 2)
    }
  }
  return Buffer.from(data, 'base64')
}

/** Google's answer, whole and as a stream with one piece per chunk. */
export function answerGoogleTranscript(
  pieces: readonly string[],
  finishReason = 'STOP',
): { whole: Json; chunks: readonly string[] } {
  const usageMetadata = {
    promptTokenCount: 60,
    candidatesTokenCount: 9,
    totalTokenCount: 69,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 28 },
      { modality: 'AUDIO', tokenCount: 32 },
    ],
  }
  const answer = (text: string, more: Json): Json => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
    usageMetadata,
  })
  return {
    whole: answer(pieces.join(''), { finishReason }),
    chunks: [
      ...pieces.map((text) => dataLine(answer(text, {}))),
      dataLine(answer('', { finishReason })),
    ],
  }
}
