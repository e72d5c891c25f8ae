import type { ToolNameRule } from '../conversion.ts'
import { cleanedWithHash } from './tool-ids.ts'

/** A tool as the client knows it. */
export interface ClientTool {
  name: string
  namespace?: string
  kind: 'function' | 'freeform'
}

/** Name of a tool at the upstream. */
export interface UpstreamName {
  name: string
  namespace?: string
}

/** Tells two names apart wherever they are parted: each call of a conversation is looked up by it. */
const key = ({ name, namespace = '' }: UpstreamName) => `${name.length}:${name}${namespace}`

/** `mcp__files__` and `read` to `mcp__files__read`; without the doubled line where there is none. */
const joined = (name: string, namespace: string) =>
  namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`

/**
 * Names of tools on their way to an upstream and back. The same tools in the same order always get the same
 * names, so that a conversation that is sent again keeps its cached beginning.
 */
export class ToolNames {
  readonly #rule: ToolNameRule
  readonly #keepsNamespaces: boolean
  readonly #names = new Map<string, UpstreamName>()
  readonly #tools = new Map<string, ClientTool>()

  /** `longest` in characters; namespaces are kept or joined with the name. */
  constructor(rule: ToolNameRule, longest: number, keepsNamespaces: boolean) {
    this.#rule = { fits: rule.fits, length: Math.min(rule.length, longest) }
    this.#keepsNamespaces = keepsNamespaces
  }

  /** Names the tools of a request. One that is listed twice counts once. */
  add(tools: readonly ClientTool[]): void {
    // A name that needs no change is never given up for one that was made.
    const isAsIs = (tool: ClientTool) => this.#wanted(tool).name === tool.name
    for (const tool of [...tools.filter(isAsIs), ...tools.filter((one) => !isAsIs(one))]) {
      if (this.#names.has(key(tool))) continue
      let name = this.#wanted(tool)
      if (this.#tools.has(key(name)))
        name = {
          ...name,
          name: this.#made(name.name, JSON.stringify([tool.name, tool.namespace ?? ''])),
        }
      this.#names.set(key(tool), name)
      this.#tools.set(key(name), tool)
    }
  }

  /** Name of a tool at the upstream; also one that is not listed any more. */
  upstreamName(called: ClientTool): UpstreamName {
    const { name, namespace, kind } = called
    // OpenAI calls a tool whose loading was deferred in a namespace of its own name, which nobody has listed.
    const isOwnNamespace = namespace === name && !this.#keepsNamespaces
    const known =
      this.#names.get(key(called)) ?? (isOwnNamespace ? this.#names.get(key({ name })) : undefined)
    if (known) return known
    const tool: ClientTool = namespace === undefined ? { name, kind } : { name, namespace, kind }
    const made = this.#wanted(tool)
    // The model may call it again.
    if (!this.#tools.has(key(made))) this.#tools.set(key(made), tool)
    return made
  }

  /** The client's tools by what the upstream calls them, for `clientTool`. */
  get renamed(): ReadonlyMap<string, ClientTool> {
    return this.#tools
  }

  /** Is every tool called what the client calls it, and a function on both sides? */
  get areUnchanged(): boolean {
    return [...this.#tools].every(
      ([upstream, tool]) => tool.kind === 'function' && upstream === key(tool),
    )
  }

  #wanted({ name, namespace }: UpstreamName): UpstreamName {
    if (namespace === undefined) return { name: this.#fitted(name) }
    return this.#keepsNamespaces
      ? { name: this.#fitted(name), namespace }
      : { name: this.#fitted(joined(name, namespace)) }
  }

  #fitted(name: string): string {
    const { fits, length } = this.#rule
    return name.length <= length && fits.test(name) ? name : this.#made(name, name)
  }

  #made(name: string, seed: string): string {
    const { fits, length } = this.#rule
    const made = cleanedWithHash(name, length, seed)
    // Gemini wants a letter or `_` first.
    return fits.test(made) ? made : `_${cleanedWithHash(name, length - 1, seed)}`
  }
}

/** The client's tool that the upstream calls by this name. */
export const clientTool = (
  upstream: UpstreamName,
  renamed: ReadonlyMap<string, ClientTool>,
): ClientTool | undefined => renamed.get(key(upstream))
