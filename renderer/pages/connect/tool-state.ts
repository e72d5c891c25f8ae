import type { ConnectTool } from '../../gateway/records.ts'

/** It points here, and hasn't called since it was connected. */
export const isWaiting = ({ status, connected_at, last_call_at }: ConnectTool): boolean =>
  status === 'here' && connected_at !== null && (last_call_at ?? 0) < connected_at

export interface ToolGroup {
  id: 'found' | 'byHand' | 'missing'
  tools: readonly ConnectTool[]
}

/** Tools without a file that Switchyard edits can't be looked for; they aren't "not found". */
export function groupTools(tools: readonly ConnectTool[]): ToolGroup[] {
  const groupOf = ({ installed, status, kind }: ConnectTool): ToolGroup['id'] => {
    if (installed || (kind === 'file' && status !== 'not_found')) return 'found'
    return kind === 'file' ? 'missing' : 'byHand'
  }
  return (['found', 'byHand', 'missing'] as const)
    .map((id) => ({ id, tools: tools.filter((tool) => groupOf(tool) === id) }))
    .filter(({ tools: ofGroup }) => ofGroup.length > 0)
}
