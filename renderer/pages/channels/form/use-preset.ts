import { useOperation } from '../../../gateway/queries.ts'
import type { ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'

/** The preset that the channel was made from, else the first of its type. */
export function usePreset(channel: ChannelRecord | undefined): ChannelPreset | undefined {
  const presets = useOperation('channel.presets', {})
  if (!channel) return undefined
  const list = presets.data ?? []
  return (
    list.find(({ id }) => id === channel.preset) ?? list.find(({ type }) => type === channel.type)
  )
}
