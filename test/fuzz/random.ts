/** Numbers that look random and come again for the same seed. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from 0 to `below` - 1. */
  integer(below: number): number
  /** One of a list, which must not be empty. */
  pick<Item>(list: readonly Item[]): Item
  /** True this often: 0.1 of ten times once. */
  chance(share: number): boolean
}

/** The generator of a seed (mulberry32: 32 bits of state, which is enough to choose inputs by). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(next() * below)
  return {
    next,
    integer,
    pick: (list) => list[integer(list.length)] as (typeof list)[number],
    chance: (share) => next() < share,
  }
}

/** The seed of one input of a run, so that any of them can be made again by itself. */
export function seedOf(run: number, name: string, index: number): number {
  let hash = (run ^ 0x811c9dc5) >>> 0
  for (const character of `${name} ${index}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}
