/**
 * The fields that were given a value. `undefined` means "as it is" everywhere in the stores; left in,
 * it would remove the field from the file.
 */
export function omitUndefined<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Fields
}
