import { useOperation } from '../../../gateway/queries.ts'

/** A channel type is named after the first preset of that type. */
export function useTypeNames(): (type: number) => string {
  const presets = useOperation('channel.presets', {})
  return (type) => presets.data?.find((preset) => preset.type === type)?.name ?? `#${type}`
}
