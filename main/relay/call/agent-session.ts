import { traitsOf } from '../../convert/codecs.ts'
import { nameIn } from '../../convert/json/name-in.ts'
import type { Call } from './call.ts'

/** The run of an agent that a call belongs to, as its client names it. */
export interface AgentSession {
  /** The client and its own id of the session: `codex:019a5d1e-…`, at most 100 characters. */
  id: string
  /** The sub-agent that calls; null for the agent itself. */
  agent: string | null
  /** A side task, such as the agent's own memory. */
  isBackground: boolean
}

type Named = Pick<Call, 'headers' | 'body' | 'format'>

const MOST_CHARACTERS = 100

const named = (client: string, id: string, agent: string | null = null): AgentSession => ({
  id: `${client}:${id}`.slice(0, MOST_CHARACTERS),
  agent: agent?.slice(0, MOST_CHARACTERS) ?? null,
  isBackground: false,
})

function header({ headers }: Named, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const isCodex = (call: Named): boolean =>
  /codex/i.test(header(call, 'originator') ?? header(call, 'user-agent') ?? '')

/** Codex 0.169: `session-id`, and `thread-id`, which is another one in a sub-agent. Older: `session_id`, `conversation_id`. */
function ofSessionHeaders(call: Named): AgentSession | null {
  const thread = header(call, 'thread-id')
  const id =
    header(call, 'session-id') ??
    header(call, 'session_id') ??
    header(call, 'conversation_id') ??
    thread
  if (id === null) return null
  if (!isCodex(call)) return named('session', id)
  const kind = header(call, 'x-openai-subagent')
  const agent = thread !== null && thread !== id ? thread : kind
  const isBackground = header(call, 'x-openai-memgen-request') === 'true'
  return { ...named('codex', id, agent), isBackground }
}

/** OpenCode 1.18: at its own gateway `x-opencode-session`, elsewhere `x-session-id`; a sub-agent has a session of its own. */
function ofOpenCode(call: Named): AgentSession | null {
  const own =
    header(call, 'x-opencode-session') ??
    header(call, 'x-session-id') ??
    header(call, 'x-session-affinity')
  if (own === null) return null
  const client = own.startsWith('ses_') ? 'opencode' : 'session'
  const parent = header(call, 'x-parent-session-id')
  return parent === null ? named(client, own) : named(client, parent, own)
}

const CLAUDE_CODE = /(?:_session_|"session_id"\s*:\s*")([\w-]{8,64})/

/** Names in the body's own fields, each a short one. */
function ofBody(call: Named): AgentSession | null {
  const { body, format } = call
  const { conversationName } = traitsOf(format)
  if (conversationName) {
    const id = CLAUDE_CODE.exec(conversationName(body) ?? '')?.[1]
    return id === undefined ? null : named('claude-code', id)
  }
  const key = nameIn(body, 'prompt_cache_key')
  if (key) return named(isCodex(call) ? 'codex' : 'cache-key', key)
  const conversation = nameIn(body, 'conversation')
  return conversation ? named('conversation', conversation) : null
}

/** The session that a client names in its call; null where it names none. */
export function agentSession(call: Named): AgentSession | null {
  const id = header(call, 'x-claude-code-session-id')
  if (id !== null) return named('claude-code', id, header(call, 'x-claude-code-agent-id'))
  return ofSessionHeaders(call) ?? ofOpenCode(call) ?? ofBody(call)
}
