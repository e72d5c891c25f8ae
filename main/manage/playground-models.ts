import { z } from 'zod'
import { type UsableModel, usableModels } from '../relay/usable-models.ts'
import { defineOperation } from './operation.ts'
import { signedIn } from './signed-in.ts'

const models = defineOperation({
  name: 'playground.models',
  access: 'user',
  http: { method: 'GET', path: '/pg/models' },
  input: z.object({ group: z.string().optional() }),
  run: ({ group }, context): string[] => [
    ...context.parts.channels.models(group || signedIn(context).group),
  ],
})

/** A model as the playground's list shows it. */
interface CatalogueEntry {
  id: string
  display_name: string
  /** What it can be asked for through this gateway. */
  capabilities: UsableModel['capabilities']
}

/** The models of the user's group with what each can do, which `/pg/models` does not tell. */
const catalogue = defineOperation({
  name: 'playground.catalogue',
  access: 'user',
  http: { method: 'GET', path: '/pg/catalogue' },
  input: z.object({}),
  run(_input, context): CatalogueEntry[] {
    const caller = { token: null, user: signedIn(context), ip: context.ip, pinnedChannel: null }
    return usableModels(caller, context.parts).map(({ id, displayName, capabilities }) => ({
      id,
      display_name: displayName ?? id,
      capabilities,
    }))
  },
})

export const playgroundModelOperations = [models, catalogue] as const
