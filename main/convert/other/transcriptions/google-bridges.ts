import type { FormatBridge } from '../bridge.ts'
import { decodeTranscription, TranscriptStream } from './decode-google.ts'
import { encodeTranscription } from './encode-google.ts'

/** Transcription by Google's models: https://ai.google.dev/gemini-api/docs/audio */
export const transcriptionBridges: readonly FormatBridge[] = (
  ['transcriptions', 'translations'] as const
).map((from) => ({
  from,
  to: 'generate-content',
  encode: encodeTranscription,
  decode: decodeTranscription,
  streams: ({ stream }) => stream,
  createStream: () => new TranscriptStream(),
}))
