import type { Random } from './random.ts'

/** The same letters to a parser that is lenient about case, or to one that knows Unicode's. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  s: ['S', 'ſ', 'ｓ'],
  k: ['K', '\u212a'],
  i: ['I', 'İ', 'ı'],
  m: ['M', 'ｍ'],
  o: ['O', 'ｏ'],
  e: ['E', 'é'],
  _: ['-', '', '__'],
}

/** Keys that the gateway decides by in every format. */
const DECIDING = ['model', 'models', 'stream', 'tools', 'fallbacks']
const VALUES = ['"up-chat"', 'true', 'null', '1', '{}', '["up-chat"]']

function alike(key: string, random: Random): string {
  const places = [...key].flatMap((letter, index) => (ALIKE[letter] ? [index] : []))
  const at = random.pick(places)
  return key.slice(0, at) + random.pick(ALIKE[key[at] as string] ?? []) + key.slice(at + 1)
}

/** A key in its own spelling, with one letter escaped. */
function escaped(key: string, random: Random): string {
  const at = random.integer(key.length)
  const code = key.charCodeAt(at).toString(16).padStart(4, '0')
  return `${key.slice(0, at)}\\u${code}${key.slice(at + 1)}`
}

/** The object with a key in it a second time, plain or escaped, or one that looks like a key that decides. */
export function withTwin(object: object, random: Random): string {
  const text = JSON.stringify(object)
  const own = random.pick(Object.keys(object))
  const twin = random.chance(0.5) ? escaped(own, random) : alike(random.pick(DECIDING), random)
  const field = `"${twin}":${random.pick(VALUES)}`
  return random.chance(0.5) ? `{${field},${text.slice(1)}` : `${text.slice(0, -1)},${field}}`
}
