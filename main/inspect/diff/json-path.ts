import { asObject } from '../../convert/json/json-value.ts'

/** A step of a path: a member's name or an item's index. */
type Step = string | number

const STEP = /^(?:\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+))/

/** The steps of `messages[0].content`; null for what is no path. */
export function stepsOf(path: string): Step[] | null {
  const steps: Step[] = []
  for (let rest = path; rest !== ''; ) {
    const match = STEP.exec(rest)
    if (!match) return null
    const [all, index, quoted, name] = match
    if (index !== undefined) steps.push(Number(index))
    else steps.push(quoted === undefined ? (name ?? '') : String(JSON.parse(`"${quoted}"`)))
    rest = rest.slice(all.length)
  }
  return steps
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)

/** Google takes each name in camelCase and in snake_case. */
function member(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : value[snake(name)]
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  const steps = stepsOf(path)
  if (!steps || steps.length === 0) return undefined
  return steps.reduce<unknown>((found, step) => {
    if (typeof step === 'number') return Array.isArray(found) ? found[step] : undefined
    const object = asObject(found)
    return object && member(object, step)
  }, value)
}

/** Is `path` at or below `outer`? */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)
