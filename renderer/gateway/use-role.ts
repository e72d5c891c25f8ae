import { useOperation } from './queries.ts'

/** Role numbers of management-api §3.1. */
export const roles = { common: 1, administrator: 10, owner: 100 } as const

/** 0 while loading. */
export function useRole(): number {
  return useOperation('user.self', {}).data?.role ?? 0
}

export function useIsAdministrator(): boolean {
  return useRole() >= roles.administrator
}
