import type { ConnectTool } from '../../gateway/records.ts'

/** It points here, and hasn't called since it was connected. */
export const isWaiting = ({ status, connected_at, last_call_at }: ConnectTool): boolean =>
  status === 'here' && connected_at !== null && (last_call_at ?? 0) < connected_at

/** Found on this machine, or with a file that says where it points. */
export const isFound = ({ installed, status, kind }: ConnectTool): boolean =>
  installed || (kind === 'file' && status !== 'not_found')
