import { asObject } from '../../convert/json/json-value.ts'
import type { ModelRules } from '../../convert/model/model-rules.ts'

/**
 * The rules that a channel's owner sets for its models, in `settings.model_rules`: an object from a model's
 * name, or `*` for all of them, to the rules that differ from the built-in ones.
 */
export function rulesOf(
  settings: Readonly<Record<string, unknown>>,
  model: string,
): Partial<ModelRules> {
  const given = asObject(settings.model_rules)
  if (!given) return {}
  return { ...asObject(given['*']), ...asObject(given[model]) }
}
