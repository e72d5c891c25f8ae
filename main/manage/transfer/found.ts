import { homedir } from 'node:os'
import { z } from 'zod'
import { parseBaseUrl } from '../../adaptor/url/join-url.ts'
import { GatewayError } from '../../base/errors.ts'
import { type FoundKey, findKeys } from '../../transfer/found/found-keys.ts'
import type { ChannelDraft } from '../../transfer/transfer.ts'
import { previewOf } from '../channels/channel-record.ts'
import { channelOperations } from '../channels/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { readInput } from '../operation/read-input.ts'
import { leadsHere } from '../server/own-address.ts'

/** The files are this machine's: who asks from elsewhere has no business with them. */
function requireLocal({ via, loopback }: Pick<OperationContext, 'via' | 'loopback'>): void {
  if (via === 'ipc' || loopback) return
  throw new GatewayError('forbidden', {
    message:
      'Keys are looked for only when the console is open on the machine that Switchyard runs on.',
  })
}

/** Where Connect has pointed a tool here, its file holds a token of ours. */
const isOwn = ({ base_url }: ChannelDraft, parts: GatewayParts): boolean =>
  base_url !== null && leadsHere(parseBaseUrl(base_url), parts)

async function search(parts: GatewayParts): Promise<FoundKey[]> {
  const found = await findKeys({ env: process.env, home: homedir() })
  return found.filter(({ draft }) => !isOwn(draft, parts))
}

const found = defineOperation({
  name: 'transfer.found',
  summary:
    "Looks for vendors' keys in the environment and in other tools' files on this machine; keys are masked and nothing is taken.",
  access: 'root',
  proof: 'session',
  http: { method: 'GET', path: '/api/transfer/found' },
  input: z.object({}),
  output: z.strictObject({
    found: z.array(
      z.strictObject({
        id: z.string(),
        where: z.string().describe('The environment, or a tool and the path of its file.'),
        vendor_type: z.int().describe('Channel type.'),
        name: z.string(),
        masked_key: z.string(),
        base_url: z.string().nullable(),
      }),
    ),
  }),
  before: requireLocal,
  async run(_input, { parts }) {
    const rows = (await search(parts)).map(({ id, where, draft }) => ({
      id,
      where,
      vendor_type: draft.type,
      name: draft.name,
      masked_key: previewOf(draft.keys[0] ?? ''),
      base_url: draft.base_url,
    }))
    return { found: rows }
  },
})

const create = channelOperations.find(
  (one): one is Extract<(typeof channelOperations)[number], { name: 'channel.create' }> =>
    one.name === 'channel.create',
)

/** Checked by the rules of the channel form. */
const inputOf = (draft: ChannelDraft) => ({
  type: draft.type,
  name: draft.name,
  key: draft.keys.join('\n'),
  base_url: draft.base_url,
  models: draft.models.join(','),
  group: draft.group,
  model_mapping: JSON.stringify(draft.model_mapping),
  priority: draft.priority,
  weight: draft.weight,
  tag: draft.tag,
  status: draft.disabled ? 2 : 1,
})

const take = defineOperation({
  name: 'transfer.take',
  summary: 'Makes a channel of each chosen key that was found on this machine.',
  access: 'root',
  proof: 'session',
  http: { method: 'POST', path: '/api/transfer/take' },
  input: z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(200) }),
  output: z.strictObject({ ids: z.array(z.int()).describe('The new channels.') }),
  before: requireLocal,
  async run({ ids }, context) {
    const { parts } = context
    const byId = new Map((await search(parts)).map((one) => [one.id, one]))
    const chosen = [...new Set(ids)].map((id) => {
      const one = byId.get(id)
      if (one) return one
      throw new GatewayError('not_found', {
        message: 'One of these keys is no longer there. Search again.',
        field: 'ids',
      })
    })
    if (!create) throw new Error('There is no operation that adds channels.')
    // All are checked before the first is made.
    const inputs = chosen.map(({ draft }) => readInput(create.input, inputOf(draft)))
    const made: number[] = []
    for (const input of inputs) made.push(...(await create.run(input, context)).data.ids)
    return { ids: made }
  },
})

export const foundOperations = [found, take] as const
