import { asObject, asText, objectIn, textOf, usageFigures } from '../run/json-answer.ts'
import { filledOnly } from '../run/optional-fields.ts'
import type { Task } from '../run/task.ts'

interface TranscriptionDraft {
  file: File | null
  /** Empty fields are not sent. */
  language: string
  response_format: string
  prompt: string
  temperature: number | ''
}

export interface Transcript {
  /** Plain text, or subtitles with times. */
  text: string
  /** For the download: the raw answer where it says more than the text. */
  file: Blob
  extension: 'txt' | 'srt' | 'vtt' | 'json'
}

const fields = ({ language, response_format, prompt, temperature }: TranscriptionDraft) =>
  filledOnly({ language: language.trim(), response_format, prompt: prompt.trim(), temperature })

const asFields = (model: string, draft: TranscriptionDraft): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ model, ...fields(draft) }).map(([name, value]) => [name, String(value)]),
  )

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptionTask: Task<'playground.transcriptions', TranscriptionDraft, Transcript> =
  {
    operation: 'playground.transcriptions',
    blank: { file: null, language: '', response_format: '', prompt: '', temperature: '' },
    isReady: ({ file }) => file !== null,
    async input(model, draft) {
      const { file } = draft
      if (!file) throw new TypeError('There is no file.')
      const data = await toBase64(file)
      return { model, file: { name: file.name, type: file.type, data }, ...fields(draft) }
    },
    request: (model, draft) => ({
      path: '/v1/audio/transcriptions',
      body: {
        fields: asFields(model, draft),
        file: { field: 'file', name: draft.file?.name ?? 'speech.mp3' },
      },
    }),
    read(answer, { response_format }) {
      const whole = textOf(answer)
      if (!isJson(answer.headers)) {
        const isSubtitles = response_format === 'srt' || response_format === 'vtt'
        const extension = isSubtitles ? response_format : 'txt'
        return { text: whole.trim(), file: new Blob([whole]), extension }
      }
      const text = asText(objectIn(answer).text)
      if (text === null) throw new TypeError('The answer holds no text.')
      const isPlain = response_format === '' || response_format === 'json'
      const file = new Blob([isPlain ? text : whole])
      return { text, file, extension: isPlain ? 'txt' : 'json' }
    },
    usage(answer) {
      if (!isJson(answer.headers)) return []
      return usageFigures(asObject(objectIn(answer).usage))
    },
  }

const isJson = (headers: Readonly<Record<string, string>>): boolean =>
  /\bjson\b/.test(headers['content-type'] ?? '')

/** Rejects when the file can't be read any more. */
function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const url = String(reader.result)
      resolve(url.slice(url.indexOf(',') + 1))
    }
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
