import { z } from 'zod'
import { keyLines } from '../../../relay/channel/channel-keys.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { ChannelDraft, OwnChannelFields } from '../../../transfer/transfer.ts'
import { hideProxyPassword, isProxyPasswordHidden } from '../../../upstream/proxy/read-proxy.ts'
import { channelFields } from '../../channels/channel-fields.ts'
import { severalKeys } from '../../channels/channel-key-edit.ts'
import { toChannelFields } from '../../channels/channel-write.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { isSamePlace } from '../same-account.ts'
import { withKnownSecrets, withoutSecrets } from './hide-secrets.ts'
import { type ItemNote, note } from './item-notes.ts'

type KeyState = Channel['keyStates'][number]

const ENABLED: KeyState = { status: 1, reason: '', time: 0 }

/** A channel as an export under a passphrase has it, with its secrets. */
export function toChannelDraft(channel: Channel): ChannelDraft {
  return {
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl || null,
    keys: keyLines(channel.key),
    models: [...channel.models],
    model_mapping: channel.modelMapping,
    priority: channel.priority,
    weight: channel.weight,
    group: channel.groups.join(','),
    tag: channel.tag,
    disabled: channel.status === 2,
    own: {
      other: channel.other,
      status_code_mapping: channel.statusCodeMapping,
      param_override: channel.paramOverride,
      header_override: channel.headerOverride,
      setting: channel.setting,
      settings: channel.settings,
      test_model: channel.testModel,
      openai_organization: channel.openaiOrganization,
      auto_ban: channel.autoBan,
      remark: channel.remark,
      preset: channel.preset,
      multi_key_mode: channel.multiKeyMode,
      auto_disabled: channel.status === 3,
      status_note: channel.otherInfo,
      key_states: channel.keyStates,
      public_only: channel.publicOnly,
    },
  }
}

/** The same without keys and all that may be secret, and the fields that hold such values. */
export function toPlainChannelDraft(channel: Channel): { draft: ChannelDraft; fields: string[] } {
  const { draft, fields } = withoutSecrets(toChannelDraft(channel))
  const { own } = draft
  return { draft: { ...draft, keys: [], ...(own && { own: { ...own, key_states: [] } }) }, fields }
}

const inputSchema = z.strictObject(channelFields)

/** Checked by the rules of the channel form. */
export function readFields(draft: ChannelDraft, parts: GatewayParts): Partial<Channel> {
  const { own } = draft
  const input = readInput(inputSchema, {
    type: draft.type,
    name: draft.name,
    key: draft.keys.join('\n'),
    base_url: draft.base_url,
    models: draft.models.join(','),
    group: draft.group,
    weight: draft.weight,
    priority: draft.priority,
    tag: draft.tag,
    model_mapping: JSON.stringify(draft.model_mapping),
    ...(own && {
      other: own.other,
      status_code_mapping: JSON.stringify(own.status_code_mapping),
      param_override: JSON.stringify(own.param_override),
      header_override: JSON.stringify(own.header_override),
      setting: JSON.stringify(own.setting),
      settings: JSON.stringify(own.settings),
      test_model: own.test_model,
      openai_organization: own.openai_organization,
      auto_ban: own.auto_ban,
      remark: own.remark,
      preset: own.preset,
    }),
  })
  const fields = toChannelFields(input, parts)
  if (!input.key) return fields
  const isOne = draft.keys.length === 1 && !own?.multi_key_mode
  if (isOne) return { ...fields, key: input.key, multiKeyMode: null, keyStates: [] }
  const several = severalKeys(input.key, own?.multi_key_mode ?? 'random')
  return { ...fields, ...several, keyStates: statesOf(keyLines(several.key), draft) }
}

/** Of each key; none where all are enabled. */
function statesOf(keys: readonly string[], { keys: given, own }: ChannelDraft): KeyState[] {
  const states = keys.map((key) => own?.key_states[given.indexOf(key)] ?? ENABLED)
  return states.some(({ status }) => status !== 1) ? states : []
}

/**
 * Puts in the secrets that stayed behind, where `before` has them; `lost` says which are nowhere. A secret stays with
 * the address that it was given for.
 */
export function withSecrets(
  draft: ChannelDraft,
  before: Channel | undefined,
): { draft: ChannelDraft; lost: ItemNote[] } {
  const lost: ItemNote[] = []
  const known = before && isSamePlace(draft, before) ? toChannelDraft(before) : undefined
  const restore = <Value>(value: Value, other: unknown, path: string): Value =>
    withKnownSecrets(value, other, path, (at) => {
      const header = /^header_override\.(.+)$/s.exec(at)?.[1]
      lost.push(header === undefined ? note('value_again', at) : note('header_again', header))
    }) as Value
  const base_url = restore(draft.base_url, known?.base_url, 'base_url')
  if (!draft.own) return { draft: { ...draft, base_url }, lost }
  const { setting, ...own } = draft.own
  const { proxy, ...others } = setting
  const restored = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [
      name,
      restore(value, known?.own?.[name as keyof OwnChannelFields], name) ?? null,
    ]),
  ) as Omit<OwnChannelFields, 'setting'>
  const isHidden = typeof proxy === 'string' && isProxyPasswordHidden(proxy)
  const knownProxy = known?.own?.setting.proxy
  const isSame = typeof knownProxy === 'string' && hideProxyPassword(knownProxy) === proxy
  if (isHidden && !isSame) lost.push(note('proxy_again'))
  const kept = isHidden ? (isSame ? knownProxy : undefined) : proxy
  return {
    draft: {
      ...draft,
      base_url,
      own: {
        ...restored,
        other: restored.other ?? '',
        setting: {
          ...restore(others, known?.own?.setting, 'setting'),
          ...(kept !== undefined && { proxy: kept }),
        },
      },
    },
    lost,
  }
}
