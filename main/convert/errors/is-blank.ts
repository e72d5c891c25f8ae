/** A vendor may nest its answer as deep as it likes. */
const DEEPEST = 50

/**
 * Is there nothing in this value: null, an empty text, list or object, or one that holds only such? Vendors leave
 * empty fields of older forms beside a good answer (Snowflake Cortex: `"function_call":{"arguments":"","name":""}`).
 */
export function isBlank(value: unknown, deepest = DEEPEST): boolean {
  if (value === null || value === undefined || value === '') return true
  if (typeof value !== 'object' || deepest === 0) return false
  return Object.values(value).every((one) => isBlank(one, deepest - 1))
}
