import { z } from 'zod'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { servedBy, usableModels } from '../../relay/channel/usable-models.ts'
import { priceFor } from '../../relay/pricing/model-price.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
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
    vendor: z.string().describe('Of the first channel that serves it.'),
    context: z.int().nullable().describe('Tokens of its context window; null where unknown.'),
    max_output: z.int().nullable().describe('Most tokens of an answer; null where unknown.'),
    calls_tools: z
      .boolean()
      .nullable()
      .describe('Whether it calls tools in a conversation; null where unknown.'),
    price: z
      .strictObject({
        input: z.number().nullable().describe('US dollars per million tokens.'),
        output: z.number().nullable().describe('US dollars per million tokens.'),
        call: z.number().nullable().describe('US dollars for each call.'),
        unit: z
          .strictObject({
            of: z.enum(['second', 'character', 'image', 'search']),
            price: z.number().describe('US dollars.'),
          })
          .nullable(),
      })
      .nullable()
      .describe('Null where it has none.'),
    channels: z
      .array(z.strictObject({ id: z.int(), name: z.string() }))
      .describe('Enabled channels that serve it; empty for users who are no administrators.'),
  })
  .meta({ id: 'CatalogueEntry' })

const units = ['image', 'second', 'character', 'search'] as const

function shownPrice(model: string, context: OperationContext) {
  const price = priceFor(signedIn(context), model, context.parts.settings.current)
  if (!price) return null
  const of = units.find((unit) => price.units[unit] !== undefined)
  return {
    input: price.tokens?.input ?? null,
    // In the table 0 is what a model doesn't sell, such as the output of embeddings.
    output:
      price.source === 'table' && !price.listed?.row.output ? null : (price.tokens?.output ?? null),
    call: price.call,
    unit: of === undefined ? null : { of, price: price.units[of] ?? 0 },
  }
}

/** The models of the user's group with all that helps to choose one, which `/pg/models` does not tell. */
const catalogue = defineOperation({
  name: 'playground.catalogue',
  summary: 'Lists the models that you may use: what each can do, what it costs, and who serves it.',
  access: 'user',
  http: { method: 'GET', path: '/pg/catalogue' },
  input: z.object({}),
  output: z.array(catalogueEntry),
  run(_input, context): z.infer<typeof catalogueEntry>[] {
    const caller = callerOf(context)
    const isAdministrator = hasAdministratorRole(signedIn(context))
    return usableModels(caller, context.parts).map((model) => {
      const { id, displayName, capabilities, owner, contextWindow, maxOutput, callsTools } = model
      const { serving, model: priced } = servedBy(id, { caller }, context.parts)
      const [first] = serving
      return {
        id,
        display_name: displayName ?? id,
        capabilities,
        vendor: (first && adaptorOf(first.type)?.name) ?? owner,
        context: contextWindow,
        max_output: maxOutput,
        calls_tools: callsTools,
        price: shownPrice(priced, context),
        channels: isAdministrator ? serving.map(({ id: of, name }) => ({ id: of, name })) : [],
      }
    })
  },
})

export const playgroundModelOperations = [models, catalogue] as const
