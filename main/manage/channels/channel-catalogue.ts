import { z } from 'zod'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { presets } from '../../adaptor/presets.ts'
import { priceTable } from '../../relay/pricing/price-table.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'

/** When the models came to be is not known; the number is the one that new-api gives. */
const CREATED = 1626777600

/** https://platform.openai.com/docs/api-reference/models/object */
const modelObject = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})

/** Every name that a preset, the upstream inside, a channel or the price table has for a model, with the first of them. */
function ownersOfModels({ channels }: GatewayParts): Map<string, string> {
  const owners = new Map<string, string>()
  const listed = [...presets, ...channels.all()].map(({ type, models }) => {
    const adaptor = adaptorOf(type)
    return { adaptor, models: [...models, ...(adaptor?.local?.models ?? [])] }
  })
  for (const { adaptor, models } of listed) {
    const owner = adaptor?.name.toLowerCase() ?? 'switchyard'
    for (const model of models) if (!owners.has(model)) owners.set(model, owner)
  }
  // Prices are listed by the name in small letters, which is not always how it is called.
  const known = new Set([...owners.keys()].map((model) => model.toLowerCase()))
  for (const { vendor, models } of priceTable.families) {
    for (const { model } of models) if (!known.has(model)) owners.set(model, vendor.toLowerCase())
  }
  return owners
}

const listKnown = defineOperation({
  name: 'channel.known-models',
  summary: 'Lists the models that are known by name, those of all channels and of all vendors.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/models' },
  input: z.object({}),
  output: z.array(modelObject),
  run: (_input, { parts }): z.output<typeof modelObject>[] =>
    [...ownersOfModels(parts)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, owned_by]) => ({ id, object: 'model', created: CREATED, owned_by })),
})

const listEnabled = defineOperation({
  name: 'channel.enabled-models',
  summary: 'Lists the models of all enabled channels.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/models_enabled' },
  input: z.object({}),
  output: z.array(z.string()),
  run(_input, { parts }): string[] {
    const enabled = parts.channels.all().filter(({ status }) => status === 1)
    return [...new Set(enabled.flatMap(({ models }) => models))].sort()
  },
})

export const channelCatalogueOperations = [listKnown, listEnabled] as const
