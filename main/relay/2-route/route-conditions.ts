import { isWireFormat } from '../../convert/codecs.ts'
import type { ExchangeRequest, Part } from '../../convert/exchange.ts'
import type { ModelRoute, RouteConditions, RouteRule } from '../../store/records/routes.ts'
import { agentSession } from '../call/agent-session.ts'
import type { Call } from '../call/call.ts'
import { decodedRequest } from '../translate/translate-request.ts'
import { estimatedPrompt } from '../usage/estimated-prompt.ts'

const BYTES_PER_TOKEN = 4

const isImage = (part: Part): boolean =>
  (part.type === 'media' && part.kind === 'image') ||
  (part.type === 'result' && part.parts.some(isImage))

function asksToReason({ reasoning }: ExchangeRequest): boolean {
  if (!reasoning) return false
  const { effort, budget, mode, isShown } = reasoning
  if (effort === 'none' || budget === 0 || mode === 'off') return false
  return [effort, budget, mode].some((said) => said !== undefined) || isShown === true
}

const runsAtClient = (type: string): boolean => type === 'function' || type === 'freeform'

/** What is known of a call, each found when a rule asks for it. A body that can't be read has nothing in it. */
class CallFacts {
  readonly #call: Call
  #request: ExchangeRequest | null | undefined
  #tokens: number | undefined

  constructor(call: Call) {
    this.#call = call
  }

  /** Null for what is no conversation, or can't be read: the vendor's or the conversion's to refuse. */
  get request(): ExchangeRequest | null {
    if (this.#request === undefined) this.#request = this.#decode()
    return this.#request
  }

  get inputTokens(): number {
    this.#tokens ??= this.#estimate()
    return this.#tokens
  }

  has(condition: 'images' | 'tools' | 'webSearch' | 'reasoning'): boolean {
    const { request } = this
    if (!request) return false
    if (condition === 'images') return request.turns.some(({ parts }) => parts.some(isImage))
    if (condition === 'tools') return request.tools.some(({ type }) => runsAtClient(type))
    if (condition === 'reasoning') return asksToReason(request)
    return request.tools.some((tool) => tool.type === 'hosted' && tool.tool === 'web-search')
  }

  get isBackground(): boolean {
    return agentSession(this.#call)?.isBackground ?? false
  }

  /** By its name in the agent's session, or a part of its `User-Agent`; in any case of letters. */
  isClient(name: string): boolean {
    const wanted = name.toLowerCase()
    const agent = (this.#call.headers['user-agent'] ?? '').toLowerCase()
    return agent.includes(wanted) || agentSession(this.#call)?.id.startsWith(`${wanted}:`) === true
  }

  #decode(): ExchangeRequest | null {
    if (!isWireFormat(this.#call.format)) return null
    try {
      return decodedRequest(this.#call)
    } catch {
      return null
    }
  }

  #estimate(): number {
    const { body, format } = this.#call
    if (isWireFormat(format)) {
      try {
        return estimatedPrompt(this.#call)
      } catch {
        // Its bytes say enough.
      }
    }
    return Math.ceil(body.size / BYTES_PER_TOKEN)
  }
}

const asWanted = (wanted: boolean | undefined, is: () => boolean): boolean =>
  wanted === undefined || wanted === is()

const known: Readonly<Record<string, true>> = {
  minInputTokens: true,
  maxInputTokens: true,
  images: true,
  tools: true,
  webSearch: true,
  reasoning: true,
  background: true,
  clients: true,
  tokenIds: true,
}

/** A rule without a condition, or with one that only another version knows, is for no call rather than for each. */
function isUnderstood(when: RouteConditions): boolean {
  const names = Object.keys(when)
  return names.length > 0 && names.every((name) => Object.hasOwn(known, name))
}

/** The cheap ones first: a body is read only where they hold. */
function holds(when: RouteConditions, call: Call, facts: CallFacts): boolean {
  if (!isUnderstood(when)) return false
  const { token } = call.caller
  if (when.tokenIds && !(token && when.tokenIds.includes(token.id))) return false
  if (when.clients && !when.clients.some((name) => facts.isClient(name))) return false
  if (!asWanted(when.background, () => facts.isBackground)) return false
  if (when.minInputTokens !== undefined && facts.inputTokens < when.minInputTokens) return false
  if (when.maxInputTokens !== undefined && facts.inputTokens > when.maxInputTokens) return false
  return (['images', 'tools', 'webSearch', 'reasoning'] as const).every((condition) =>
    asWanted(when[condition], () => facts.has(condition)),
  )
}

/** The first rule of a route of which all conditions hold for the call; null where none does. */
export function ruleFor(route: ModelRoute, call: Call): RouteRule | null {
  const facts = new CallFacts(call)
  return route.rules.find(({ when }) => holds(when, call, facts)) ?? null
}
