import type { Tool } from './tool.ts'

/** Names by which a tool is given models, where they aren't the models' own; each with its model. */
export const modelAliases = (
  { nameOf }: Pick<Tool, 'nameOf'>,
  models: Iterable<string>,
): Record<string, string> =>
  Object.fromEntries(
    [...new Set(models)]
      .map((model) => [nameOf?.(model) ?? model, model] as const)
      .filter(([name, model]) => name !== model),
  )
