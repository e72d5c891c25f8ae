import { asObject } from '../../convert/json/json-value.ts'
import { modelRules } from '../../convert/model/model-rules.ts'

/**
 * The problem with a channel's `model_rules`, or null: an object from model names (or `*`) to the rules
 * that differ from the built-in ones, each of the built-in one's type.
 */
export function wrongModelRules(given: unknown): string | null {
  const models = asObject(given)
  if (!models) return 'model_rules must be an object from model names, or *, to rules'
  const known = modelRules('chat', '') as unknown as Record<string, unknown>
  for (const [model, rules] of Object.entries(models)) {
    const list = asObject(rules)
    if (!list) return `model_rules["${model}"] must be an object`
    for (const [name, value] of Object.entries(list)) {
      if (!(name in known)) {
        return `model_rules["${model}"] names "${name}", which is no rule; known: ${Object.keys(known).join(', ')}`
      }
      const isList = Array.isArray(known[name])
      if (isList ? !Array.isArray(value) : typeof value !== typeof known[name]) {
        return `model_rules["${model}"].${name} must be a ${isList ? 'list' : typeof known[name]}`
      }
    }
  }
  return null
}
