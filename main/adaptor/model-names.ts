import { GatewayError } from '../base/errors.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The vendor's own sentence in an error body, if there is one. */
function vendorMessage(body: unknown): string | null {
  if (!isObject(body)) return null
  const error = isObject(body.error) ? body.error.message : body.error
  const message = error ?? body.message ?? body.msg
  return typeof message === 'string' && message !== '' ? message : null
}

function listIn(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body
  if (!isObject(body)) return null
  for (const name of ['data', 'models']) {
    const list = body[name]
    if (Array.isArray(list)) return list
    // An Ollama without models answers `{"object":"list","data":null}`.
    if (list === null && body.object === 'list') return []
  }
  return null
}

function nameOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry
  if (!isObject(entry)) return null
  for (const name of [entry.id, entry.name, entry.model, entry.slug]) {
    if (typeof name === 'string' && name !== '') return name
  }
  return null
}

/**
 * The names in a vendor's list of models: `{data: [{id}]}`, `{models: [{name}]}` or a bare array, of
 * objects or strings; in the vendor's order, each once.
 * Throws GatewayError `upstream_invalid` when the body is no such list.
 */
export function modelNames(body: unknown): string[] {
  const list = listIn(body)
  const names = list?.map(nameOf).filter((name) => name !== null)
  if (names === undefined || (names.length === 0 && list?.length !== 0)) {
    const sentence = vendorMessage(body)
    throw new GatewayError('upstream_invalid', {
      message: sentence
        ? `The upstream did not answer with a list of models: ${sentence}`
        : 'The upstream did not answer with a list of models. Check the base URL, or type the names.',
      reason: sentence ? { code: 'no_model_list_said', said: sentence } : { code: 'no_model_list' },
    })
  }
  return [...new Set(names)]
}
