import { refuse } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'

/** Whose tokens `countTokens` counts. */
const COUNTED = ['generateContentRequest', 'generate_content_request'] as const

const bare = (name: string): string => name.replace(/^models\//, '')

function requireSame(value: unknown, at: string, model: string): void {
  if (value === undefined || value === null) return
  if (typeof value === 'string' && bare(value) === bare(model)) return
  refuse(at, { code: 'must_be_model_of_path', model: bare(model) })
}

/**
 * Throws where a body of Gemini's names another model than its path does. Google refuses that; who only speaks its
 * format may go by either.
 */
export function requirePathModel(body: JsonFields, model: string): void {
  requireSame(body.get('model'), 'model', model)
  for (const field of COUNTED) {
    if (body.kind(field) !== 'object') continue
    requireSame(asObject(body.get(field))?.model, `${field}.model`, model)
  }
  if (body.kind('requests') !== 'array') return
  for (const [index, request] of asArray(body.get('requests')).entries()) {
    requireSame(asObject(request)?.model, `requests[${index}].model`, model)
  }
}

/**
 * Fields to set in a Gemini body under the upstream's model name: Google refuses one in which `model`, here,
 * in `generateContentRequest` or in one of `requests`, is not the model of the path. Nothing where the body names none.
 */
export function nameGeminiModel(body: JsonFields, model: string): JsonObject {
  const name = model.startsWith('tunedModels/') ? model : `models/${bare(model)}`
  const fields: JsonObject = {}
  if (body.kind('model') === 'string') fields.model = name
  for (const field of COUNTED) {
    const counted = body.kind(field) === 'object' ? asObject(body.get(field)) : undefined
    if (counted?.model !== undefined) fields[field] = { ...counted, model: name }
  }
  if (body.kind('requests') === 'array') {
    const requests = body.get('requests') as unknown[]
    if (requests.some((request) => asObject(request)?.model !== undefined)) {
      fields.requests = requests.map((request) => {
        const object = asObject(request)
        return object?.model === undefined ? request : { ...object, model: name }
      })
    }
  }
  return fields
}
