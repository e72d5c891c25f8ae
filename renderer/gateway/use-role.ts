import { useOperation } from './queries.ts'

/** Who may open a page or use a part of one: role numbers of management-api §3.1. */
export const roles = { common: 1, administrator: 10, owner: 100 } as const

/** The role of who is signed in; 0 while it is not known. */
export function useRole(): number {
  return useOperation('user.self', {}).data?.role ?? 0
}

/** Whether who is signed in may do what administrators do. */
export function useIsAdministrator(): boolean {
  return useRole() >= roles.administrator
}
