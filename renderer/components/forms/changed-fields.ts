/** The fields of `after` that are not what they were: all that an edit sends, so that nothing else is undone. */
export const changedFields = <Fields extends object>(
  after: Fields,
  before: Fields,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof Fields]),
  ) as Partial<Fields>
