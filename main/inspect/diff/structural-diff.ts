import { ExactNumber } from '../../convert/json/exact-json.ts'
import { asObject } from '../../convert/json/json-value.ts'
import { commonItems } from './common-items.ts'

/** A difference between two JSON values. */
export interface Change {
  /** `messages[0].content`, in the second value where it was added, else in the first; empty for the whole. */
  path: string
  kind: 'added' | 'removed' | 'changed'
  /** Undefined where it was added. */
  from: unknown
  /** Undefined where it was removed. */
  to: unknown
}

/** A name that stands behind a dot as it is. */
const PLAIN_NAME = /^[^.[\]"]+$/

/** The path of a member. */
const memberPath = (path: string, name: string): string => {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (one instanceof ExactNumber || other instanceof ExactNumber) {
    return one instanceof ExactNumber && other instanceof ExactNumber && one.text === other.text
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  }
  const first = asObject(one)
  const second = asObject(other)
  if (!first || !second) return false
  const names = Object.keys(first)
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && isEqual(first[name], second[name]))
  )
}

class Differ {
  readonly changes: Change[] = []

  compare(path: string, from: unknown, to: unknown): void {
    if (isEqual(from, to)) return
    const isObjects = asObject(from) && asObject(to)
    if (Array.isArray(from) && Array.isArray(to)) this.#lists(path, from, to)
    else if (isObjects && !(from instanceof ExactNumber || to instanceof ExactNumber)) {
      this.#objects(path, from as Record<string, unknown>, to as Record<string, unknown>)
    } else this.changes.push({ path, kind: 'changed', from, to })
  }

  #objects(path: string, from: Record<string, unknown>, to: Record<string, unknown>): void {
    for (const name of Object.keys(from)) {
      const at = memberPath(path, name)
      if (Object.hasOwn(to, name)) this.compare(at, from[name], to[name])
      else this.changes.push({ path: at, kind: 'removed', from: from[name], to: undefined })
    }
    for (const name of Object.keys(to)) {
      if (Object.hasOwn(from, name)) continue
      const added = { path: memberPath(path, name), kind: 'added', from: undefined } as const
      this.changes.push({ ...added, to: to[name] })
    }
  }

  #lists(path: string, from: readonly unknown[], to: readonly unknown[]): void {
    let start = 0
    const shorter = Math.min(from.length, to.length)
    while (start < shorter && isEqual(from[start], to[start])) start++
    let behind = 0
    while (
      behind < shorter - start &&
      isEqual(from[from.length - 1 - behind], to[to.length - 1 - behind])
    )
      behind++
    const one = from.slice(start, from.length - behind)
    const other = to.slice(start, to.length - behind)
    let i = 0
    let j = 0
    for (const [nextI, nextJ] of [
      ...commonItems(one, other),
      [one.length, other.length] as const,
    ]) {
      this.#gap(path, start, one.slice(i, nextI), i, other.slice(j, nextJ), j)
      i = nextI + 1
      j = nextJ + 1
    }
  }

  /** Items between equal ones: in pairs as far as there are two, then left out or put in. */
  #gap(
    path: string,
    start: number,
    from: readonly unknown[],
    fromIndex: number,
    to: readonly unknown[],
    toIndex: number,
  ): void {
    for (let index = 0; index < Math.max(from.length, to.length); index++) {
      const inFirst = `${path}[${start + fromIndex + index}]`
      const inSecond = `${path}[${start + toIndex + index}]`
      if (index >= to.length) {
        this.changes.push({ path: inFirst, kind: 'removed', from: from[index], to: undefined })
      } else if (index >= from.length) {
        this.changes.push({ path: inSecond, kind: 'added', from: undefined, to: to[index] })
      } else this.compare(inFirst, from[index], to[index])
    }
  }
}

/**
 * The differences between two JSON values as read by `parseExact`, in the order of the first. Items of lists are
 * aligned, so that one more at the start does not change all that follow.
 */
export function structuralDiff(from: unknown, to: unknown): Change[] {
  const differ = new Differ()
  try {
    differ.compare('', from, to)
    return differ.changes
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return [{ path: '', kind: 'changed', from, to }]
    throw error
  }
}
