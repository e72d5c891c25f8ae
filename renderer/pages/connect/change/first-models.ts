import type { ChosenModels, ConnectTool, ToolModel } from '../../../gateway/records.ts'

/** The models it has now; without a main one the first, which fits best. */
export function firstModels(
  { slots, chosen }: ConnectTool,
  models: readonly ToolModel[],
): ChosenModels {
  const present: Record<string, string | undefined> = chosen ?? {}
  const kept: ChosenModels = { main: models[0]?.id ?? '' }
  for (const { id: slot } of slots) {
    const model = models.find(({ id }) => id === present[slot])
    if (model) kept[slot] = model.id
  }
  return kept
}
