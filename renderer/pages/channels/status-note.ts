import type { ChannelRecord } from '../../gateway/records.ts'

export interface StatusNote {
  reason: string
  /** Unix seconds. */
  time: number
}

/** When and why the channel's status last changed; null when unknown. */
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
