import { z } from 'zod'
import type { ChannelTarget } from '../../adaptor/adaptor.ts'
import { proxyFor } from '../../relay/channel/channel-connection.ts'
import { targetOf } from '../../relay/channel/channel-target.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { listModels } from '../server/model-list.ts'
import { readBaseUrl, readSettings } from './channel-base-url.ts'
import { channelFields } from './channel-fields.ts'
import { withKnownPassword } from './channel-proxy.ts'
import { existingChannel } from './existing-channel.ts'
import { checkReach } from './save/check-reach.ts'
import { requireReadableKey } from './save/unreadable-key.ts'
import { withKnownHeaders } from './secret-headers.ts'

const {
  type,
  key,
  base_url,
  other,
  preset,
  setting,
  settings,
  header_override,
  openai_organization,
} = channelFields

/** As much of a channel as is needed to ask its vendor something. */
export const draftFields = {
  type: type.unwrap(),
  key,
  base_url,
  other,
  preset,
  settings,
  openai_organization,
}

export type DraftInput = z.output<z.ZodObject<typeof draftFields>>

/** A channel that is not stored yet, as adaptors see it. Throws `invalid_params` for an address that none may have. */
export const draftTarget = (input: DraftInput, parts: GatewayParts): ChannelTarget => ({
  id: 0,
  type: input.type,
  baseUrl: readBaseUrl(input.base_url ?? '', parts),
  key: input.key?.split('\n')[0] ?? '',
  other: input.other ?? '',
  openaiOrganization: input.openai_organization ?? null,
  settings: readSettings(input.settings ?? {}, parts),
  preset: input.preset ?? null,
})

/** Overrides that name plain values; what stands for a caller's header has no caller here. */
export function plainHeaders(
  override: Record<string, string>,
  key: string,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(override)) {
    if (name === '*' || name.startsWith('re:') || value.includes('{client_header:')) continue
    headers[name.toLowerCase()] = value.replaceAll('{api_key}', key)
  }
  return headers
}

const wayFor =
  (channel: Pick<Channel, 'setting' | 'publicOnly'>, parts: GatewayParts) => (url: string) =>
    proxyFor(channel, url, parts)

const fetchModels = defineOperation({
  name: 'channel.fetch-models',
  summary: 'Asks a vendor which models it offers, before a channel for it is kept.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/fetch_models' },
  legacyStatus: { invalid_json: 400 },
  input: z.strictObject({ ...draftFields, header_override, setting }),
  output: z.array(z.string()),
  run(input, context): Promise<string[]> {
    const { parts, signal } = context
    const target = draftTarget(input, parts)
    const setting = withKnownPassword(input.setting ?? {})
    const channel = { ...target, setting, publicOnly: signedIn(context).role < 100 }
    checkReach(channel, context)
    const headers = plainHeaders(withKnownHeaders(input.header_override ?? {}), target.key)
    return listModels(target, headers, { way: wayFor(channel, parts), signal })
  },
})

const fetchModelsOf = defineOperation({
  name: 'channel.fetch-models-of',
  summary: "Asks a channel's vendor which models it offers.",
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/fetch_models/:id' },
  hasEffect: true,
  input: z.object({ id: recordId }),
  output: z.array(z.string()),
  run({ id }, { parts, signal }): Promise<string[]> {
    const channel = existingChannel(id, parts)
    requireReadableKey(channel, { remedy: 'Enter it again.', field: 'key' })
    const target = targetOf(channel)
    const headers = plainHeaders(channel.headerOverride, target.key)
    return listModels(target, headers, { way: wayFor(channel, parts), signal })
  },
})

export const channelModelOperations = [fetchModels, fetchModelsOf] as const
