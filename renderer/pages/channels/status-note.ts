import type { ChannelRecord } from '../../gateway/records.ts'

export interface StatusNote {
  reason: string
  /** Unix seconds. */
  time: number
}

/** Why and when a channel's status was last changed, where that is known. */
export function statusNoteOf(channel: Pick<ChannelRecord, 'other_info'>): StatusNote | null {
  try {
    const info: unknown = JSON.parse(channel.other_info || '{}')
    const { status_reason: reason, status_time: time } = info as Record<string, unknown>
    return typeof reason === 'string' && reason !== ''
      ? { reason, time: typeof time === 'number' ? time : 0 }
      : null
  } catch {
    return null
  }
}
