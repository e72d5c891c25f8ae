import { asObject } from '../../../convert/json/json-value.ts'

/**
 * The parts of a dotted path: `messages.-1.content`. A part is a field's name, or an index of a list that is
 * counted from its end when it is negative; `\.` is a dot in a name.
 */
export const pathParts = (path: string): string[] =>
  (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((part) => part.replace(/\\(.)/g, '$1'))

/** The index that a part stands for in a list of this length, which may lie just behind its end. */
function indexIn(list: readonly unknown[], part: string): number | null {
  if (!/^-?\d{1,9}$/.test(part)) return null
  const index = Number(part) < 0 ? list.length + Number(part) : Number(part)
  return index >= 0 && index <= list.length ? index : null
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return root
  if (Array.isArray(root)) {
    const index = indexIn(root, part)
    return index === null ? undefined : valueAt(root[index], rest)
  }
  const object = asObject(root)
  return object && Object.hasOwn(object, part) ? valueAt(object[part], rest) : undefined
}

/**
 * The same with another value at a path, everything on the way there made anew and all else shared; missing
 * objects are added. As it was where the path leads through something that is neither object nor list, or
 * beyond a list's end.
 */
export function withValueAt(
  root: unknown,
  [part, ...rest]: readonly string[],
  value: unknown,
): unknown {
  if (part === undefined) return value
  if (Array.isArray(root)) {
    const index = indexIn(root, part)
    if (index === null) return root
    const list = [...root]
    list[index] = withValueAt(root[index], rest, value)
    return list
  }
  const object = root === undefined || root === null ? {} : asObject(root)
  if (!object) return root
  const before = Object.hasOwn(object, part) ? object[part] : undefined
  return { ...object, [part]: withValueAt(before, rest, value) }
}

/** The same without what is at a path. */
export function withoutValueAt(root: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined || valueAt(root, [part]) === undefined) return root
  const change = (before: unknown) => withoutValueAt(before, rest)
  if (Array.isArray(root)) {
    const index = indexIn(root, part)
    return rest.length === 0
      ? root.filter((_, at) => at !== index)
      : root.map((item, at) => (at === index ? change(item) : item))
  }
  const { [part]: before, ...others } = asObject(root) ?? {}
  return rest.length === 0 ? others : { ...asObject(root), [part]: change(before) }
}
