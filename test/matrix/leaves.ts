export type LeafPath = readonly (string | number)[]

/** A text, a figure or a switch somewhere in a JSON value. */
export interface Leaf {
  /** As the gateway writes it: `messages[2].content[0].text`. */
  path: string
  steps: LeafPath
  /** The same for all like it: indexes left out, and the type of what it stands in: `messages[].content[text].text`. */
  shape: string
  /** Names of the fields that lead to it, and the types of what they stand in. */
  names: ReadonlySet<string>
  value: unknown
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null

/** In these a caller's own names stand: one leaf of each kind is as good as all. */
const freeform = new Set([
  'properties',
  '$defs',
  'definitions',
  'args',
  'metadata',
  'labels',
  'logit_bias',
])

/** Fields of events whose shape is told by a type within. */
const typed = new Set(['item', 'content_block', 'delta', 'part', 'annotation'])

function kindOf(value: unknown): string {
  if (!isContainer(value)) return ''
  const { type, role } = value
  if (typeof type === 'string') return type
  return typeof role === 'string' ? role : ''
}

/** All leaves that say something: an empty text, list or object says no more than none. */
export function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (
    one: unknown,
    path: string,
    shape: string,
    steps: LeafPath,
    above: readonly string[],
  ): void => {
    const index = steps.at(-1)
    const numbered = typeof index === 'number' ? [`${steps.at(-2)}[${index}]`] : []
    const kinds = [...above, kindOf(one), ...numbered]
    if (Array.isArray(one)) {
      for (const [index, item] of one.entries())
        walk(item, `${path}[${index}]`, `${shape}[${kindOf(item)}]`, [...steps, index], kinds)
    } else if (isContainer(one)) {
      const [outer, own] = [String(steps.at(-2)), String(steps.at(-1))]
      const isFree = freeform.has(own) || (own === 'response' && /esponse$/.test(outer))
      for (const [name, item] of Object.entries(one)) {
        const dot = path === '' ? '' : '.'
        const type = typed.has(name) ? `(${kindOf(item)})` : ''
        const named = `${shape}${dot}${isFree ? '*' : name}${type}`
        walk(item, `${path}${dot}${name}`, named, [...steps, name], kinds)
      }
    } else if (one !== null && one !== undefined && one !== '') {
      leaves.push({
        path,
        steps,
        shape,
        names: new Set([...steps.map(String), ...kinds]),
        value: one,
      })
    }
  }
  walk(value, '', '', [], [])
  return leaves
}

function changed(value: unknown): unknown {
  if (typeof value === 'string') {
    // Behind its end, garbage in JSON is mended.
    const isJson = /^\s*\{/.test(value)
    const comma = /^\s*\{\s*\}?$/.test(value) ? '' : ','
    return isJson ? value.replace('{', `{"zq7x":1${comma}`) : `${value}zq7x`
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value / 2
  return !value
}

/** The same value with another leaf in this place; only what leads to it is copied. */
export function withOther(value: unknown, [step, ...rest]: LeafPath): unknown {
  if (step === undefined) return changed(value)
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? withOther(item, rest) : item))
  const container = value as Container
  return { ...container, [step]: withOther(container[step], rest) }
}

/** The first, the last and one between, of the leaves of each shape. */
export function samples(leaves: readonly Leaf[]): Leaf[][] {
  const byShape = new Map<string, Leaf[]>()
  for (const leaf of leaves) {
    const known = byShape.get(leaf.shape)
    if (known) known.push(leaf)
    else byShape.set(leaf.shape, [leaf])
  }
  return [...byShape.values()].map((all) => {
    const places = new Set([0, all.length >> 1, all.length - 1])
    return [...places].flatMap((place) => all[place] ?? [])
  })
}
