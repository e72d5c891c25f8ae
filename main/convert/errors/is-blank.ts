/**
 * Is there nothing in this value: null, an empty text, list or object, or one that holds only such? Vendors leave
 * empty fields of older forms beside a good answer (Snowflake Cortex: `"function_call":{"arguments":"","name":""}`).
 */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.values(value).every(isBlank)
}
