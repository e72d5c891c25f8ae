import { useOperation } from './queries.ts'

/** Whether the gateway serves more people than its owner; false while loading. */
export function useIsShared(): boolean {
  return useOperation('server.get', {}).data?.shared === true
}
