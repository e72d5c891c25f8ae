import { useOperation } from '../../../gateway/queries.ts'

/** The name of a channel type: that of the first vendor of this type, which is whose the type is. */
export function useTypeNames(): (type: number) => string {
  const presets = useOperation('channel.presets', {})
  return (type) => presets.data?.find((preset) => preset.type === type)?.name ?? `#${type}`
}
