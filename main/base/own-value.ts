/** A record's own value under a name that anybody may choose: every object has a `constructor`, none of its own. */
export const ownValue = <Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(record, name) ? record[name] : undefined)
