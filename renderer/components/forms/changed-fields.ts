/**
 * The fields of `after` that differ. An edit sends only these, so that it doesn't undo somebody else's
 * change.
 */
export const changedFields = <Fields extends object>(
  after: Fields,
  before: Fields,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof Fields]),
  ) as Partial<Fields>
