import type { TimelineRow } from '../../../gateway/records.ts'

/** Stays the same when a call under way ends; an event may have the request id of a call. */
export const rowId = ({ kind, id, type, request_id = '' }: TimelineRow): string =>
  kind === 'event' ? `${request_id} ${type} ${id}` : request_id || `#${id}`
