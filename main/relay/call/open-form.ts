import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Codec, FormRule } from '../../convert/codec.ts'
import { FormBody } from '../../upstream/form/form-data.ts'

export type { FormBody } from '../../upstream/form/form-data.ts'

/** Begins to read a form off a request; `source` gives its decoded bytes. */
export function openForm(
  source: Readable,
  headers: IncomingHttpHeaders,
  { files, check }: FormRule,
  { guard }: Pick<Codec, 'guard'>,
): FormBody {
  const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined
  return FormBody.open(source, headers['content-type'] ?? '', {
    files,
    check,
    single: ['model'],
    checkName: (name) => guard.checkName(name),
    ...(length === undefined ? {} : { contentLength: Number(length) }),
  })
}
