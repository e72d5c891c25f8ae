/** What a number field holds; an empty one, or one that is no number yet, is not sent. */
export function numberOrNothing(value: number | string): number | '' {
  return value === '' || Number.isNaN(Number(value)) ? '' : Number(value)
}

/** The fields that were filled in; an empty text stands for one that is not sent. */
export function filledOnly<Fields extends Record<string, unknown>>(
  fields: Fields,
): Partial<Fields> {
  const filled = Object.entries(fields).filter(([, value]) => value !== '')
  return Object.fromEntries(filled) as Partial<Fields>
}
