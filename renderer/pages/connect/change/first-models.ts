import type { ConnectTool, ToolModel } from '../../../gateway/records.ts'

/** By slot: the models it has now; without a main one the first, which fits best. */
export function firstModels(
  { slots, chosen }: ConnectTool,
  models: readonly ToolModel[],
): Record<string, string> {
  const present: Record<string, string | undefined> = chosen ?? {}
  const kept: Record<string, string> = {}
  for (const { id: slot } of slots) {
    const model = models.find(({ id }) => id === present[slot]) ?? (slot === 'main' && models[0])
    if (model) kept[slot] = model.id
  }
  return kept
}
