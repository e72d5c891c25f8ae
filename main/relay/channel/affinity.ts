import { digest } from '../../base/digest.ts'
import { traitsOf } from '../../convert/codecs.ts'
import { nameIn } from '../../convert/json/name-in.ts'
import type { Settings } from '../../store/state/settings.ts'
import { type Call, ownerOf } from '../call/call.ts'

type AffinitySettings = Pick<Settings, 'SessionAffinityEnabled' | 'SessionAffinityMinutes'>

/** The id of an answer of Responses, which stands at its beginning; null where that is not there yet. */
function responseIdOf(beginning: readonly Buffer[]): string | null {
  for (const bytes of beginning) {
    const id = /"id"\s*:\s*"(resp_[^"]+)"/.exec(bytes.toString('latin1', 0, ID_WITHIN))?.[1]
    if (id !== undefined) return id
  }
  return null
}

/** The channel that answered a conversation last. */
export interface Place {
  channelId: number
  /** The key itself: its line may change while calls run. */
  key: string
  /** The target's model, where a route led there. */
  model?: string
}

/** The same, and when. */
interface AnsweredPlace extends Place {
  /** `performance.now()` of the last answer. */
  at: number
}

/** Bytes in which an answer names itself. */
const ID_WITHIN = 4096

/** Conversations that are kept; the one that was silent longest makes room. */
const MOST = 10_000

/**
 * Headers in which clients name their conversation: Codex `session-id`, `thread-id` and older `session_id`,
 * `conversation_id`; Claude Code `x-claude-code-session-id`; others `x-session-id`.
 */
const HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'thread-id',
  'conversation_id',
] as const

/** The conversation's name in a body: a text, or an object with an id. */
function namedIn({ body, format }: Call): string | undefined {
  const codec = traitsOf(format)
  if (codec.conversationName) return codec.conversationName(body)
  return (
    nameIn(body, 'prompt_cache_key') ??
    nameIn(body, 'conversation') ??
    nameIn(body, 'previous_response_id')
  )
}

/** How a client names the conversation that its call belongs to; undefined or empty where it does not. */
function nameOf(call: Call): string | undefined {
  let name: string | undefined
  for (const header of HEADERS) {
    const value = call.headers[header]
    if (typeof value === 'string' && value !== '') name ??= value
  }
  return name ?? namedIn(call)
}

/** A conversation is one token's, with one model. */
const keyOf = (call: Call, name: string): string =>
  digest(`${ownerOf(call)}\n${call.model}\n${name}`)

/** Which channel and key answers a conversation, so that the vendor's cache of it is used. In memory. */
export class Affinity {
  readonly #settings: () => Readonly<AffinitySettings>
  /** The one that was answered last comes last. */
  readonly #places = new Map<string, AnsweredPlace>()

  constructor(settings: () => Readonly<AffinitySettings>) {
    this.#settings = settings
  }

  /** The call's conversation; null where there is none, or affinity is off. */
  conversationOf(call: Call): string | null {
    if (!this.#settings().SessionAffinityEnabled || call.verb !== 'generate') return null
    const name = nameOf(call)
    return name ? keyOf(call, name) : null
  }

  /**
   * The conversation that goes on from an answer by its id; null where nothing can, or affinity is off. The vendor
   * knows the answer only where it was given.
   */
  after(call: Call, answer: { readonly beginning: readonly Buffer[] }): string | null {
    if (!this.#settings().SessionAffinityEnabled || !traitsOf(call.format).keepsAnswers) return null
    const id = responseIdOf(answer.beginning)
    return id === null ? null : keyOf(call, id)
  }

  /** The channel that answered last; null if that is too long ago. */
  placeOf(conversation: string): Place | null {
    const kept = this.#places.get(conversation)
    if (!kept) return null
    const until = kept.at + this.#settings().SessionAffinityMinutes * 60_000
    if (performance.now() < until) return kept
    this.#places.delete(conversation)
    return null
  }

  /** It has been answered here. */
  keep(conversation: string, place: Place): void {
    this.#places.delete(conversation)
    if (this.#places.size >= MOST) {
      const [oldest] = this.#places.keys()
      if (oldest !== undefined) this.#places.delete(oldest)
    }
    this.#places.set(conversation, { ...place, at: performance.now() })
  }
}
