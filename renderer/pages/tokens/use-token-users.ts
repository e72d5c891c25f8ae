import { useOperation } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'

/** By id of the token: names of the tools that are set up with it, the one that called last first. */
export type TokenUsers = ReadonlyMap<number, readonly string[]>

/** Empty for others than the owner, who may not ask. */
export function useTokenUsers(): TokenUsers {
  const isOwner = useRole() >= roles.owner
  const connected = useOperation('connect.tools', {}, { enabled: isOwner })
  const byCall = [...(connected.data?.tools ?? [])].sort(
    (one, other) => (other.last_call_at ?? 0) - (one.last_call_at ?? 0),
  )
  const users = new Map<number, string[]>()
  for (const { token, name, last_call_at } of byCall) {
    if (token && last_call_at !== null) users.set(token.id, [...(users.get(token.id) ?? []), name])
  }
  return users
}
