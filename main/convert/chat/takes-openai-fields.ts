import type { ModelRules } from '../model-rules.ts'

/**
 * Is the upstream OpenAI's own or as new? Then it takes the fields by which accounts, caches and tools are
 * steered, and refuses the vendors' additions; compatible vendors often refuse the former.
 */
export const takesOpenAiFields = (rules: ModelRules): boolean =>
  rules.developerRole ||
  rules.maxTokensField === 'max_completion_tokens' ||
  (rules.midSystem && rules.strictTools)
