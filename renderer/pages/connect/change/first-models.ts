import type { ConnectTool, ToolModel } from '../../../gateway/records.ts'

/** By slot: the model it has now, else the first of all, which come in the order of how well they fit. */
export function firstModels(
  { slots, chosen }: ConnectTool,
  models: readonly ToolModel[],
): Record<string, string> {
  const first = models[0]?.id ?? ''
  const isOffered = (model: string | undefined) => models.some(({ id }) => id === model)
  const present: Record<string, string | undefined> = chosen ?? {}
  return Object.fromEntries(
    slots.map(({ id }) => [id, isOffered(present[id]) ? (present[id] ?? first) : first]),
  )
}
