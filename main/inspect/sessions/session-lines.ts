import type { SessionCall } from './session-call.ts'

export type LineKind = 'main' | 'agent' | 'background'

/** Which of a session's agents made a call. */
export interface SessionLine {
  kind: LineKind
  /** Id of the sub-agent; null for the agent itself. */
  agent: string | null
}

/**
 * Sorts a session's calls: the agent's own, its sub-agents', and side tasks (titles, summaries), which have no tools
 * where the agent has some. `hasTools` is undefined where it was not captured.
 */
export function lineOf(
  { agent, isBackground }: Pick<SessionCall, 'agent' | 'isBackground'>,
  hasTools: boolean | undefined,
  isWithTools: boolean,
): SessionLine {
  if (isBackground) return { kind: 'background', agent }
  if (agent !== null) return { kind: 'agent', agent }
  return { kind: isWithTools && hasTools === false ? 'background' : 'main', agent: null }
}

export const lineKey = ({ kind, agent }: SessionLine): string => `${kind} ${agent ?? ''}`
