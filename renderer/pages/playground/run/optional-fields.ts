/** Undefined for a field that is empty or not yet a number, so that it isn't sent. */
export function numberOrNothing(value: number | string): number | '' {
  return value === '' || Number.isNaN(Number(value)) ? '' : Number(value)
}

/** Drops empty texts, which aren't sent. */
export function filledOnly<Fields extends Record<string, unknown>>(
  fields: Fields,
): Partial<Fields> {
  const filled = Object.entries(fields).filter(([, value]) => value !== '')
  return Object.fromEntries(filled) as Partial<Fields>
}
