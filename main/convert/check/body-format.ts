import type { CallFormat } from '../call-format.ts'
import type { JsonFields } from '../json/json-fields.ts'

const isSent = (kind: string | undefined): boolean => kind !== undefined && kind !== 'null'

/**
 * The format that a body is written in, which is its endpoint's but for one habit: some clients (Cursor) post
 * a body of the Responses format to Chat's endpoint, and read an answer of Chat's.
 */
export function bodyFormat(endpoint: CallFormat, body: JsonFields): CallFormat {
  if (endpoint !== 'chat' || isSent(body.kind('messages'))) return endpoint
  return isSent(body.kind('input')) ? 'responses' : endpoint
}
