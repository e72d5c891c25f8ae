import type { ChannelRecord } from '../../gateway/records.ts'
import type { GatewaySentence } from '../../i18n/sentence-of.ts'

export interface StatusNote {
  reason: string
  /** The same by code. */
  why: GatewaySentence['reason']
  /** Unix seconds. */
  time: number
}

/** When and why the channel's status last changed; null when unknown. */
export function statusNoteOf(channel: Pick<ChannelRecord, 'other_info'>): StatusNote | null {
  try {
    const info: unknown = JSON.parse(channel.other_info || '{}')
    const {
      status_reason: reason,
      status_why: why,
      status_time: time,
    } = info as Record<string, unknown>
    return typeof reason === 'string' && reason !== ''
      ? { reason, why: why as GatewaySentence['reason'], time: typeof time === 'number' ? time : 0 }
      : null
  } catch {
    return null
  }
}
