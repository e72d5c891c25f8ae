import { refuse } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asArray, asObject } from '../../json/json-value.ts'

const bare = (name: string): string => name.replace(/^models\//, '')

function requireSame(value: unknown, at: string, model: string): void {
  if (value === undefined || value === null) return
  if (typeof value === 'string' && bare(value) === bare(model)) return
  refuse(at, `must be the model of the path, "models/${bare(model)}", or be left out`)
}

/**
 * Throws where a body of Gemini's names another model than its path does. Google refuses that; who only speaks its
 * format may go by either.
 */
export function requirePathModel(body: JsonFields, model: string): void {
  requireSame(body.get('model'), 'model', model)
  for (const field of ['generateContentRequest', 'generate_content_request']) {
    if (body.kind(field) !== 'object') continue
    requireSame(asObject(body.get(field))?.model, `${field}.model`, model)
  }
  if (body.kind('requests') !== 'array') return
  for (const [index, request] of asArray(body.get('requests')).entries()) {
    requireSame(asObject(request)?.model, `requests[${index}].model`, model)
  }
}
