import type { ChannelDraft } from '../form/channel-draft.ts'

/** Models of a draft that the vendor doesn't list, by their names at the vendor. */
export function unlistedModels(
  { models, mapping }: Pick<ChannelDraft, 'models' | 'mapping'>,
  listed: readonly string[],
): string[] {
  const known = new Set(listed)
  const upstream = (model: string) => mapping.find(({ from }) => from === model)?.to ?? model
  return models.filter((model) => !known.has(upstream(model)))
}

/**
 * The models with those of the preset that the vendor doesn't list replaced by the listed ones; null where that changes
 * nothing. Names that a person has typed stay.
 */
export function withListed(
  draft: Pick<ChannelDraft, 'models' | 'mapping'>,
  listed: readonly string[],
  preset: readonly string[],
): string[] | null {
  if (listed.length === 0) return null
  const gone = new Set(unlistedModels(draft, listed).filter((model) => preset.includes(model)))
  if (gone.size === 0 && draft.models.length > 0) return null
  return [...new Set([...draft.models.filter((model) => !gone.has(model)), ...listed])]
}
