import { homedir } from 'node:os'
import { z } from 'zod'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { parseBaseUrl } from '../../adaptor/url/join-url.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Machine as ToolMachine } from '../../connect/tool.ts'
import { tools } from '../../connect/tools.ts'
import { readForeignTables } from '../../store/foreign/read-foreign-tables.ts'
import { type FoundKey, findKeys } from '../../transfer/found/found-keys.ts'
import type { ChannelDraft } from '../../transfer/transfer.ts'
import { previewOf } from '../channels/channel-record.ts'
import { checkResult } from '../channels/check/check-result.ts'
import { thisMachine } from '../connect/this-machine.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { leadsHere } from '../server/own-address.ts'
import { requireLocal } from './require-local.ts'
import { channelsOfAccount } from './same-account.ts'
import { takeFound } from './take-found.ts'

/** Where Connect has pointed a tool here, its file holds a token of ours. */
const isOwn = ({ base_url }: ChannelDraft, parts: GatewayParts): boolean =>
  base_url !== null && leadsHere(parseBaseUrl(base_url), parts)

function fileOf(tool: string, file: string, machine: ToolMachine): string {
  const found = tools
    .find(({ id }) => id === tool)
    ?.files?.(machine)
    .find(({ id }) => id === file)
  if (!found) throw new Error(`The tool ${tool} has no file ${file}.`)
  return found.path
}

async function search(parts: GatewayParts): Promise<FoundKey[]> {
  const found = await findKeys({
    env: process.env,
    home: homedir(),
    toolFile: (tool, file) => fileOf(tool, file, thisMachine(process.env)),
    readTables: (path, tables) =>
      readForeignTables(path, tables, parts.dataFolder).catch((error: unknown) => {
        if (error instanceof GatewayError) return null
        throw error
      }),
  })
  return found.filter(({ draft }) => !isOwn(draft, parts))
}

/** Azure's resource and its deployments are in no preset. */
function needsOf({ type, base_url, models }: ChannelDraft): ('base_url' | 'models')[] {
  const adaptor = adaptorOf(type)
  const hasAddress = base_url !== null || adaptor?.local || adaptor?.defaultBaseUrl !== ''
  return [
    ...(hasAddress ? [] : (['base_url'] as const)),
    ...(models.length > 0 ? [] : (['models'] as const)),
  ]
}

const channelWith = (draft: ChannelDraft, { channels }: GatewayParts): string | null =>
  channelsOfAccount(draft, channels.all())[0]?.name ?? null

const completed = (draft: ChannelDraft, baseUrl?: string, models?: string): ChannelDraft => ({
  ...draft,
  base_url: baseUrl ?? draft.base_url,
  models: models === undefined ? draft.models : models.split(','),
})

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
        channel: z
          .string()
          .nullable()
          .describe('Name of the channel that has this key already, or null.'),
        needs: z
          .array(z.enum(['base_url', 'models']))
          .describe(
            'To be sent when it is taken, since neither the place nor the vendor has them.',
          ),
      }),
    ),
  }),
  before: (context) => requireLocal(context),
  async run(_input, { parts }) {
    const rows = (await search(parts)).map(({ id, where, draft }) => ({
      id,
      where,
      vendor_type: draft.type,
      name: draft.name,
      masked_key: previewOf(draft.keys[0] ?? ''),
      base_url: draft.base_url,
      channel: channelWith(draft, parts),
      needs: needsOf(draft),
    }))
    return { found: rows }
  },
})

const take = defineOperation({
  name: 'transfer.take',
  summary:
    'Makes a channel of each chosen key that was found on this machine. With `check` each is checked first, and one that is refused makes none.',
  access: 'root',
  proof: 'session',
  http: { method: 'POST', path: '/api/transfer/take' },
  input: z.strictObject({
    ids: z.array(z.string().max(64)).min(1).max(200),
    check: z.boolean().optional(),
    base_url: z.string().max(2000).optional().describe('In place of the one found; with one id.'),
    models: z.string().max(20_000).optional().describe('As `base_url`; separated by commas.'),
  }),
  output: z.strictObject({
    ids: z.array(z.int()).describe('The new channels.'),
    checks: z.array(
      z.strictObject({
        id: z.string().describe('Of the key.'),
        name: z.string().describe('Of the channel.'),
        check: checkResult,
      }),
    ),
  }),
  before: (context) => requireLocal(context),
  async run({ ids, check = false, base_url, models }, context) {
    if (ids.length > 1 && (base_url !== undefined || models !== undefined)) {
      throw new GatewayError('invalid_params', {
        message: 'An address and models are of one key: send one id with them.',
        field: 'ids',
        reason: { code: 'found_one_id' },
      })
    }
    const byId = new Map((await search(context.parts)).map((one) => [one.id, one]))
    const chosen = [...new Set(ids)].map((id) => {
      const one = byId.get(id)
      if (one) return { id, draft: completed(one.draft, base_url, models) }
      throw new GatewayError('not_found', {
        message: 'One of these keys is no longer there. Search again.',
        field: 'ids',
        reason: { code: 'found_key_gone' },
      })
    })
    return takeFound(chosen, check, context)
  },
})

export const foundOperations = [found, take] as const
