import { z } from 'zod'
import { usableModels } from '../../relay/channel/usable-models.ts'
import { defineOperation } from '../operation/operation.ts'
import { callerOf, ownModels } from '../server/own-models.ts'

const models = defineOperation({
  name: 'playground.models',
  summary: 'Lists the names of the models of your group, or of another one.',
  access: 'user',
  http: { method: 'GET', path: '/pg/models' },
  input: z.object({ group: z.string().optional() }),
  output: z.array(z.string()),
  run: ({ group = '' }, context): string[] => ownModels(context, group),
})

/** A model as the playground's list shows it. */
const catalogueEntry = z
  .strictObject({
    id: z.string(),
    display_name: z.string(),
    capabilities: z
      .array(
        z.enum([
          'chat',
          'completions',
          'embeddings',
          'images',
          'speech',
          'transcription',
          'rerank',
          'realtime',
        ]),
      )
      .readonly()
      .describe('What it can be asked for through this gateway.'),
  })
  .meta({ id: 'CatalogueEntry' })

/** The models of the user's group with what each can do, which `/pg/models` does not tell. */
const catalogue = defineOperation({
  name: 'playground.catalogue',
  summary: 'Lists the models that you may use, with what each can do.',
  access: 'user',
  http: { method: 'GET', path: '/pg/catalogue' },
  input: z.object({}),
  output: z.array(catalogueEntry),
  run(_input, context): z.infer<typeof catalogueEntry>[] {
    return usableModels(callerOf(context), context.parts).map(
      ({ id, displayName, capabilities }) => ({
        id,
        display_name: displayName ?? id,
        capabilities,
      }),
    )
  },
})

export const playgroundModelOperations = [models, catalogue] as const
