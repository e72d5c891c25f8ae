import type { JsonFields } from '../../json/json-fields.ts'
import { asObject } from '../../json/json-value.ts'

/**
 * Fields to set in a Gemini body under the upstream's model name: Google refuses one in which `model`, here or
 * in one of `requests`, is not the model of the path. Nothing where the body names none.
 */
export function nameGeminiModel(body: JsonFields, model: string): Record<string, unknown> {
  const name = `models/${model.replace(/^models\//, '')}`
  const fields: Record<string, unknown> = {}
  if (body.kind('model') === 'string') fields.model = name
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
