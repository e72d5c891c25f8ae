import { z } from 'zod'
import { ENDPOINT_TYPES, type EndpointType } from '../../adaptor/adaptor.ts'
import { adaptorOf, channelTypes } from '../../adaptor/adaptors.ts'
import { endpointsOf } from '../../relay/channel/channel-format.ts'
import { autoGroups, groupFactor, usableGroups } from '../../relay/channel/groups.ts'
import { type Price, priceOf } from '../../relay/pricing/model-price.ts'
import { listedPrice, priceTable } from '../../relay/pricing/price-table.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Settings } from '../../store/state/settings.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation, Reply } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { toRatios } from './ratios.ts'

const endpointPaths: Readonly<Record<EndpointType, string>> = {
  openai: '/v1/chat/completions',
  'openai-response': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/{model}:generateContent',
  embeddings: '/v1/embeddings',
  'image-generation': '/v1/images/generations',
  'jina-rerank': '/v1/rerank',
  audio: '/v1/audio/transcriptions',
  realtime: '/v1/realtime',
}

const pricingRecord = z.strictObject({
  model_name: z.string(),
  vendor_id: z.int().optional().describe('Of `vendors`.'),
  quota_type: z.literal([0, 1]).describe('0 by the token, 1 by the call.'),
  model_ratio: z.number().describe('1 is two US dollars per million tokens; 0 by the call.'),
  model_price: z.number().describe('US dollars for each call; 0 by the token.'),
  owner_by: z.string(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  create_cache_ratio: z.number(),
  enable_groups: z.array(z.string()),
  supported_endpoint_types: z.array(z.enum(ENDPOINT_TYPES)),
})
type PricingRecord = z.infer<typeof pricingRecord>

const beside = z.object({
  vendors: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      icon: z.string(),
      description: z.string(),
    }),
  ),
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
  supported_endpoint: z.partialRecord(
    z.enum(ENDPOINT_TYPES),
    z.strictObject({ path: z.string(), method: z.string() }),
  ),
  auto_groups: z.array(z.string()),
})

const vendorNames = [...new Set(priceTable.families.map(({ vendor }) => vendor))]

const byCall = {
  model_ratio: 0,
  completion_ratio: 0,
  cache_ratio: 0,
  create_cache_ratio: 0,
}

/** By seconds, pictures or searches alone there is nothing that these fields could say. */
function moneyOf({ call, tokens }: Price) {
  if (call !== null) return { quota_type: 1 as const, model_price: call, ...byCall }
  return tokens && { quota_type: 0 as const, model_price: 0, ...toRatios(tokens) }
}

function entryOf(
  model: string,
  serving: readonly Channel[],
  groups: readonly string[],
  settings: Readonly<Settings>,
): PricingRecord[] {
  const price = priceOf(model, settings)
  const money = price && moneyOf(price)
  if (!money) return []
  const vendor = listedPrice(model)?.family.vendor
  const [first] = serving
  return [
    {
      model_name: model,
      ...(vendor === undefined ? {} : { vendor_id: vendorNames.indexOf(vendor) + 1 }),
      ...money,
      owner_by: (first && adaptorOf(first.type)?.name) ?? '',
      enable_groups: groups.filter((group) =>
        serving.some((channel) => channel.groups.includes(group)),
      ),
      supported_endpoint_types: [...new Set(serving.flatMap(endpointsOf))],
    },
  ]
}

/** The channels of each model in any of the groups. */
function servingBy(groups: readonly string[], { channels }: Pick<GatewayParts, 'channels'>) {
  const serving = new Map<string, Channel[]>()
  for (const channel of channels.all()) {
    if (channel.status !== 1 || !channel.groups.some((group) => groups.includes(group))) continue
    for (const model of new Set(channel.models)) {
      const before = serving.get(model)
      if (before) before.push(channel)
      else serving.set(model, [channel])
    }
  }
  return [...serving].sort(([one], [other]) => (one < other ? -1 : 1))
}

const pricing = defineOperation({
  name: 'pricing.get',
  summary:
    'Tells what the models cost that the caller may use; models without a price are left out.',
  access: 'none',
  http: { method: 'GET', path: '/api/pricing' },
  input: z.object({}),
  output: z.array(pricingRecord),
  beside,
  run(_input, { parts, user }) {
    const settings = parts.settings.current
    const asking = user ?? { group: 'default' }
    const usable = usableGroups(asking, settings)
    const groups = Object.keys(usable)
    const entries = servingBy(groups, parts).flatMap(([model, serving]) =>
      entryOf(model, serving, groups, settings),
    )
    const types = new Set(entries.flatMap((entry) => entry.supported_endpoint_types))
    const extra: z.infer<typeof beside> = {
      vendors: vendorNames.map((name, index) => ({
        id: index + 1,
        name,
        icon: '',
        description: '',
      })),
      group_ratio: Object.fromEntries(
        groups
          .filter((group) => group !== 'auto')
          .map((group) => [group, groupFactor(asking, group, settings).factor]),
      ),
      usable_group: usable,
      supported_endpoint: Object.fromEntries(
        [...types].map((type) => [type, { path: endpointPaths[type], method: 'POST' }]),
      ),
      auto_groups: autoGroups(asking, settings),
    }
    return new Reply(entries, { extra })
  },
})

const modelsByType = defineOperation({
  name: 'model.list',
  summary: 'Lists the models that are known, by the number of their channel type.',
  access: 'user',
  http: { method: 'GET', path: '/api/models' },
  input: z.object({}),
  output: z.record(z.string(), z.array(z.string())),
  run(_input, context): Record<string, string[]> {
    signedIn(context)
    const channels = context.parts.channels.all().filter(({ status }) => status === 1)
    const known = channelTypes.map(({ type }) => {
      const listed = priceTable.families
        .filter((family) => family.channelTypes.includes(type))
        .flatMap(({ models }) => models.map(({ model }) => model))
      const served = channels.filter((channel) => channel.type === type)
      const own = [
        ...served.flatMap(({ models }) => models),
        ...(adaptorOf(type)?.local?.models ?? []),
      ]
      return [String(type), [...new Set([...listed, ...own])].sort()] as const
    })
    return Object.fromEntries(known.filter(([, models]) => models.length > 0))
  },
})

export const pricingOperations = [pricing, modelsByType] as const
