import type { Random } from './random.ts'

/** Values that stand where another kind of value belongs. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '\0',
  '\ud800',
  '😀'.repeat(50),
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { type: 'no_such_type' },
  { role: 'system', content: null },
  'data:image/png;base64,AAAA',
  'data:;,',
  '../../etc/passwd',
  '%00',
  '2024-13-45',
]

/** Names that code treats in a way of its own. */
const ODD_NAMES = ['__proto__', 'constructor', 'toString', '', 'type', 'role', 'id', '\ud800', 'x']

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { inner: value }
  return value
}

const oddValue = (random: Random): unknown =>
  random.chance(0.03)
    ? nested(random.pick([20, 100, 500]))
    : // A copy: what stands in one input may be changed again.
      structuredClone(random.pick(ODD_VALUES))

/** Defined, not assigned: `__proto__` is then a name like any other. */
function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** All places in a value that something can be changed at: an object or a list, and a name or index in it. */
function placesIn(value: unknown): [object, string][] {
  const places: [object, string][] = []
  const open: unknown[] = [value]
  while (open.length > 0 && places.length < 2000) {
    const one = open.pop()
    if (one === null || typeof one !== 'object') continue
    for (const [name, inner] of Object.entries(one)) {
      places.push([one, name])
      open.push(inner)
    }
  }
  return places
}

function change(value: unknown, random: Random): unknown {
  const places = placesIn(value)
  if (places.length === 0 || random.chance(0.02)) return oddValue(random)
  const [target, name] = random.pick(places)
  const old = (target as Record<string, unknown>)[name]
  const [other, otherName] = random.pick(places)
  switch (random.integer(6)) {
    case 0:
      if (Array.isArray(target)) target.splice(Number(name), 1)
      else delete (target as Record<string, unknown>)[name]
      break
    case 1:
      put(target, name, structuredClone((other as Record<string, unknown>)[otherName]))
      break
    case 2:
      if (Array.isArray(target)) target.push(structuredClone(old), oddValue(random))
      else put(target, random.pick(ODD_NAMES), oddValue(random))
      break
    case 3:
      put(target, name, [old])
      break
    case 4:
      put(
        target,
        name,
        typeof old === 'string' ? old.slice(random.integer(old.length + 1)) : JSON.stringify(old),
      )
      break
    default:
      put(target, name, oddValue(random))
  }
  return value
}

/** A copy of a JSON value with one to five faults in it: missing, doubled, misplaced, or of a wrong kind. */
export function mutateJson(value: unknown, random: Random): unknown {
  let mutated: unknown = structuredClone(value)
  for (let left = 1 + random.integer(5); left > 0; left--) mutated = change(mutated, random)
  return mutated
}
