/** Where the wire formats keep their usage. */
const places = ['usage', 'usageMetadata']
const wrappers = ['message', 'response']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The vendor's usage object in an answer or in one event of it; null where there is none. */
export function findUsage(text: string): object | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const around = [value, ...wrappers.map((key) => value[key]).filter(isObject)]
  for (const one of around) {
    for (const key of places) if (isObject(one[key])) return one[key]
  }
  return null
}
