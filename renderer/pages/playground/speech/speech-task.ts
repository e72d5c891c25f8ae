import type { AnswerFailure } from '../run/answer-failure.ts'
import { filledOnly } from '../run/optional-fields.ts'
import type { Task } from '../run/task.ts'

interface SpeechDraft {
  text: string
  voice: string
  /** Empty: WAV, the format of most vendors, else MP3. */
  format: string
  /** Empty fields are not sent. */
  speed: number | ''
  instructions: string
}

export interface Sound {
  blob: Blob
  /** `wav` */
  extension: string
}

const body = (model: string, { text, voice, format, speed, instructions }: SpeechDraft) => ({
  model,
  input: text.trim(),
  ...filledOnly({ voice: voice.trim() }),
  response_format: format || 'wav',
  ...filledOnly({ speed, instructions: instructions.trim() }),
})

const extensions: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/opus': 'opus',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/pcm': 'pcm',
}

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speechTask: Task<'playground.speech', SpeechDraft, Sound> = {
  operation: 'playground.speech',
  blank: { text: '', voice: 'alloy', format: '', speed: '', instructions: '' },
  isReady: ({ text }) => text.trim() !== '',
  input: body,
  request: (model, draft) => ({
    path: '/v1/audio/speech',
    body: { json: body(model, draft) },
    output: `speech.${draft.format || 'wav'}`,
  }),
  read({ bytes, headers }, { format }) {
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    const isSound = type.startsWith('audio/') || type === 'application/octet-stream'
    if (!isSound || bytes.length === 0) throw new TypeError('The answer is no sound.')
    const extension = extensions[type] ?? (format || 'wav')
    return { blob: new Blob([bytes], { type }), extension }
  },
  // Binary answers carry no usage.
  usage: () => [],
  instead(draft, { status, message }: AnswerFailure) {
    const isRefused = status !== null && status >= 400 && status < 500
    const isAboutFormat = /\bwav\b|response_format|\bformat\b/i.test(message ?? '')
    return draft.format === '' && isRefused && isAboutFormat ? { ...draft, format: 'mp3' } : null
  },
}
