import { longestRouteName } from './form/route-fields.ts'

/** A name for the copy of a route: `fast-copy`, `fast-copy-2` and so on. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '-copy' : `-copy-${number}`
    const free = `${name.slice(0, longestRouteName - suffix.length)}${suffix}`
    if (!taken.includes(free)) return free
  }
}
