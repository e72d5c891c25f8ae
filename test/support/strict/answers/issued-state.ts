import { randomBytes } from 'node:crypto'

/** One state that an upstream gave away, with what it belongs to. */
export interface IssuedState {
  data: string
  /** The readable thoughts beside it. */
  text: string
  /** Ids of the calls in the same answer (`name:arguments` where a format has no ids). */
  calls: readonly string[]
  /** The text of the same answer. */
  said: string
  /** The id of its own item, where the format has one. */
  id: string
  /** Digest of what stood before it, where the vendor looks at that. */
  prefix?: string
}

/** All signatures and encrypted thoughts that one upstream has made: it takes back no other. */
export class IssuedStates {
  readonly #byData = new Map<string, IssuedState>()
  /** Paths of those that came back behind other words and were left out, as the request asked. */
  readonly dropped: string[] = []

  issue(belongs: Omit<IssuedState, 'data'>): IssuedState {
    const state = { ...belongs, data: randomBytes(96).toString('base64') }
    this.#byData.set(state.data, state)
    return state
  }

  get(data: unknown): IssuedState | undefined {
    return typeof data === 'string' ? this.#byData.get(data) : undefined
  }

  /** The states of the answers that made this call. */
  ofCall(call: string): IssuedState[] {
    return [...this.#byData.values()].filter(({ calls }) => calls.includes(call))
  }
}

/** A call's name and arguments as one text, whatever the order of keys. */
export const callKey = (name: unknown, args: unknown): string =>
  `${name}:${JSON.stringify(sorted(args ?? {}))}`

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
