import type { Json } from './tool.ts'

/** `localhost` and 127.0.0.1 are one; a path such as /v1 doesn't matter. */
export function isSameAddress(a: string, b: string): boolean {
  try {
    const [one, other] = [new URL(a), new URL(b)]
    const host = ({ hostname }: URL) =>
      /^(localhost|\[::1\])$/.test(hostname) ? '127.0.0.1' : hostname
    return host(one) === host(other) && one.port === other.port && one.protocol === other.protocol
  } catch {
    return false
  }
}

const ORIGIN = /^[a-z]+:\/\/[^/?#\s]+/i

/** Every address of the gateway in a value, put in another's place; paths behind it stay. */
export function withAddress(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map((item) => withAddress(item, from, to))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([key, inner]) => [key, withAddress(inner, from, to)]))
  }
  if (typeof value !== 'string' || !isSameAddress(value, from)) return value
  return value.replace(ORIGIN, () => to)
}

function* addressesIn(value: Json): Generator<string> {
  if (typeof value === 'string' && /^https?:\/\//i.test(value)) yield value
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* addressesIn(inner)
  }
}

/** Has a value addresses, and none of them the gateway's? */
export function leadsElsewhere(value: Json, address: string): boolean {
  const found = [...addressesIn(value)]
  return found.length > 0 && !found.some((one) => isSameAddress(one, address))
}
