import { createContext, useContext } from 'react'
import type { TimelineRow } from '../../gateway/records.ts'

export interface CallsActions {
  /** Adds `field:value` to the query bar. */
  addFilter(field: string, value: string): void
  /** Puts what became of a call under way in its row's place. */
  replace(row: TimelineRow): void
}

export const CallsContext = createContext<CallsActions>({ addFilter() {}, replace() {} })

export const useCallsActions = () => useContext(CallsContext)
