import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import type { Json } from '../strict/requests/refusal.ts'
import { readFixture, recordedStreams } from './fixtures.ts'
import { recordedResponses } from './recorded-responses.ts'

/** One recorded body: a request, a whole answer or an error. */
export interface RecordedBody {
  /** Its file: `gemini/json-schema.request.json`. */
  name: string
  format: WireFormat
  body: Json
}

/** A recorded stream of any of the four chat formats, in the bytes of the wire. */
export interface RecordedAnswerStream {
  name: string
  format: WireFormat
  bytes: Buffer
}

const folderOf: Readonly<Record<WireFormat, string>> = {
  chat: 'openai-chat',
  messages: 'anthropic-messages',
  'generate-content': 'gemini',
  responses: 'openai-responses',
}

const root = join(import.meta.dirname, '../../fixtures')

/** The recorded bodies of one format's folder whose file name is wanted. */
const bodiesIn = (format: WireFormat, wanted: (file: string) => boolean): RecordedBody[] =>
  readdirSync(join(root, folderOf[format]))
    .filter((file) => file.endsWith('.json') && wanted(file))
    .map((file) => {
      const name = `${folderOf[format]}/${file}`
      return { name, format, body: JSON.parse(String(readFixture(name))) as Json }
    })

const formats = Object.keys(folderOf) as WireFormat[]
const isRequest = (file: string) => file.endsWith('.request.json')
const isCount = (file: string) => file.startsWith('count-tokens')
const isError = (file: string) => file.includes('error')

export const recordedRequests: readonly RecordedBody[] = formats.flatMap((format) =>
  bodiesIn(format, isRequest),
)

/** Whole answers of a model. */
export const recordedAnswers: readonly RecordedBody[] = formats.flatMap((format) =>
  bodiesIn(format, (file) => !(isRequest(file) || isCount(file) || isError(file))),
)

/** Vendors' answers to requests to count tokens. */
export const recordedCounts: readonly RecordedBody[] = formats.flatMap((format) =>
  bodiesIn(format, (file) => isCount(file) && !isRequest(file)),
)

/** Streams that end well. */
export const recordedAnswerStreams: readonly RecordedAnswerStream[] = [
  ...recordedStreams,
  ...recordedResponses.map(({ name, bytes }) => ({
    name: `openai-responses/${name}`,
    format: 'responses' as const,
    bytes,
  })),
]

const vendorOfError: Readonly<Record<string, WireFormat>> = {
  anthropic: 'messages',
  gemini: 'generate-content',
  openai: 'chat',
}

/** Bodies of refused calls. */
export const recordedErrors: readonly RecordedBody[] = [
  ...formats.flatMap((format) => bodiesIn(format, (file) => isError(file) && !isRequest(file))),
  ...readdirSync(join(root, 'errors')).map((file) => ({
    name: `errors/${file}`,
    format: vendorOfError[file.split('-')[0] ?? ''] as WireFormat,
    body: JSON.parse(String(readFixture(`errors/${file}`))) as Json,
  })),
]

/** The files of the folders that these come from. */
export const recordedFiles: readonly string[] = [...Object.values(folderOf), 'errors'].flatMap(
  (folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
)
