import type { TimelineRow } from '../../../gateway/records.ts'

/** Stays the same when a call under way ends. */
export const rowId = ({ id, request_id = '' }: TimelineRow): string => request_id || `#${id}`
