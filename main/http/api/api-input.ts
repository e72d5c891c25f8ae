import type { Request } from 'express'
import { GatewayError } from '../../base/errors.ts'
import type { Operation, StreamOperation } from '../../manage/operation/operation.ts'
import { readObject } from '../model/read-body.ts'

const KIBIBYTE = 1024
const BODY_LIMIT = 1024 * KIBIBYTE
/** Limit for callers that aren't signed in. */
const OPEN_BODY_LIMIT = 256 * KIBIBYTE
/** The same as for model calls of other clients. */
const STREAM_BODY_LIMIT = 64 * 1024 * KIBIBYTE

/** Milliseconds for all of a body; those of model calls may be large and come over a slow line. */
export const LONGEST_UPLOAD = 30_000

type AnyOperation = Operation | StreamOperation

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function limitOf({ kind, access, bodyLimit }: AnyOperation): number {
  if (bodyLimit !== undefined) return bodyLimit
  if (kind === 'stream') return STREAM_BODY_LIMIT
  return access === 'none' ? OPEN_BODY_LIMIT : BODY_LIMIT
}

/** The JSON body; a form or plain text is refused, since other sites can make a browser send these. */
async function readJson(
  operation: AnyOperation,
  request: Request,
): Promise<Record<string, unknown>> {
  const type = request.headers['content-type']
  if (type === undefined ? hasBody(request) : !isJson(type)) {
    const given = type?.split(';')[0] ?? ''
    throw new GatewayError('unsupported_media_type', {
      message: `Send the body as application/json${given && `, not as ${given}`}.`,
      reason: given ? { code: 'body_must_be_json_not', given } : { code: 'body_must_be_json' },
      field: 'Content-Type',
    })
  }
  if (!hasBody(request)) return {}
  const longest = operation.kind === 'stream' ? Infinity : LONGEST_UPLOAD
  return readObject(request, limitOf(operation), longest)
}

/** Query, body and path parameters in one object. Beside a body the query may hold anything else too. */
export async function readApiInput(
  operation: AnyOperation,
  request: Request,
): Promise<Record<string, unknown>> {
  const { method } = operation.http
  if (method === 'GET' || method === 'DELETE') return { ...request.query, ...request.params }
  const body = await readJson(operation, request)
  const known = Object.keys(operation.input.shape)
  const query = Object.entries(request.query).filter(([name]) => known.includes(name))
  return { ...Object.fromEntries(query), ...body, ...request.params }
}
