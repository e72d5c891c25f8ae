import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { keyLines } from '../../../relay/channel/channel-keys.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { channelDraft } from '../../../transfer/draft-schemas.ts'
import type { ChannelDraft, OwnChannelFields } from '../../../transfer/transfer.ts'
import { isProxyPasswordHidden } from '../../../upstream/proxy/read-proxy.ts'
import { channelFields } from '../../channels/channel-fields.ts'
import { severalKeys } from '../../channels/channel-key-edit.ts'
import { statusNote } from '../../channels/channel-key-states.ts'
import { shownSetting } from '../../channels/channel-proxy.ts'
import { checkChannel, toChannelFields } from '../../channels/channel-write.ts'
import { shownHeaders } from '../../channels/secret-headers.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { type ItemNote, note } from './item-notes.ts'
import { changedFields, freeName, type Plan, type PlannedItem, planEach } from './plan.ts'

/** A channel as an export has it; without `hasSecrets` its keys, secret headers and proxy password stay here. */
export function toChannelDraft(channel: Channel, hasSecrets: boolean): ChannelDraft {
  return {
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl || null,
    keys: hasSecrets ? keyLines(channel.key) : [],
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
      header_override: hasSecrets ? channel.headerOverride : shownHeaders(channel.headerOverride),
      setting: hasSecrets ? channel.setting : shownSetting(channel.setting),
      settings: channel.settings,
      test_model: channel.testModel,
      openai_organization: channel.openaiOrganization,
      auto_ban: channel.autoBan,
      remark: channel.remark,
      preset: channel.preset,
      multi_key_mode: channel.multiKeyMode,
    },
  }
}

const inputSchema = z.strictObject(channelFields)

/** Checked by the rules of the channel form. */
function readFields(draft: ChannelDraft, parts: GatewayParts): Partial<Channel> {
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
  return { ...fields, ...severalKeys(input.key, own?.multi_key_mode ?? 'random') }
}

/** Puts in the secrets that stayed behind, where `before` has them; `lost` says which are nowhere. */
function withSecrets(draft: ChannelDraft, before: Channel | undefined) {
  const lost: ItemNote[] = []
  if (!draft.own) return { draft, lost }
  const known = before ? toChannelDraft(before, true).own : undefined
  const hidden = before ? toChannelDraft(before, false).own : undefined
  const own: OwnChannelFields = { ...draft.own, header_override: {}, setting: draft.own.setting }
  for (const [name, value] of Object.entries(draft.own.header_override)) {
    const kept = value === '***' ? known?.header_override[name] : value
    if (kept === undefined) lost.push(note('header_again', name))
    else own.header_override[name] = kept
  }
  const { proxy, ...rest } = draft.own.setting
  if (typeof proxy === 'string' && isProxyPasswordHidden(proxy)) {
    const isSame = known !== undefined && hidden?.setting.proxy === proxy
    if (!isSame) lost.push(note('proxy_again'))
    own.setting = isSame ? { ...rest, proxy: known.setting.proxy } : rest
  }
  return { draft: { ...draft, own }, lost }
}

/** A vendor that needs a key and gets none can't be called until somebody enters one. */
function lacksKey(fields: Channel | Parameters<typeof checkChannel>[0]): boolean {
  try {
    checkChannel(fields)
    return false
  } catch (error) {
    if (error instanceof GatewayError && error.field === 'key') return true
    throw error
  }
}

/** Is it sent to the same place? Then it is the same channel with other fields. */
const isSamePlace = (draft: ChannelDraft, channel: Channel): boolean =>
  draft.type === channel.type && (draft.base_url ?? '') === channel.baseUrl

/** Compares the channels of an import with those that are here, by name; several of one name in their order. */
export function planChannels(entries: readonly unknown[], parts: GatewayParts): Plan {
  const taken = new Set<number>()
  const here = parts.channels.all()
  const matchOf = (draft: ChannelDraft): Channel | undefined => {
    const named = here.filter(({ id, name }) => name === draft.name && !taken.has(id))
    const match = named.find((channel) => isSamePlace(draft, channel)) ?? named[0]
    if (match) taken.add(match.id)
    return match
  }
  return planEach('channels', entries, channelDraft, (entry) => {
    const before = matchOf(entry)
    const { draft, lost } = withSecrets(entry, before)
    const fields = readFields(draft, parts)
    const full = { ...fields, type: draft.type, name: draft.name }
    const missing = [...lost]
    if (!before) {
      const hasNoKey = lacksKey(full)
      if (hasNoKey) missing.unshift(note('no_key'))
      const isOff = draft.disabled || hasNoKey
      return item(draft, 'new', [], missing, (writing) => add(full, isOff, writing.parts))
    }
    const changed = differences(draft, before)
    const isSame = isSamePlace(draft, before)
    const state = isSame ? (changed.length === 0 ? 'same' : 'changed') : 'conflict'
    // A key stays with the address that it was given for.
    const losesKey = !isSame && draft.keys.length === 0
    if (losesKey) missing.unshift(note('key_stays'))
    const after = losesKey ? { ...full, key: '', keyStates: [], multiKeyMode: null } : full
    const isOff = draft.disabled || lacksKey({ ...before, ...after })
    return item(draft, state, changed, missing, ({ parts: now }, how) => {
      if (how === 'replace') replace(before, after, isOff, now)
      else {
        const names = new Set(now.channels.all().map(({ name }) => name))
        const name = freeName(draft.name, (one) => names.has(one))
        add({ ...full, name }, draft.disabled || lacksKey(full), now)
      }
    })
  })
}

function item(
  { name }: ChannelDraft,
  state: PlannedItem['state'],
  fields: string[],
  notes: ItemNote[],
  write: (
    writing: Parameters<PlannedItem['write']>[1],
    how: Parameters<PlannedItem['write']>[0],
  ) => void,
): Omit<PlannedItem, 'part'> {
  return { name, state, fields, notes, write: (how, writing) => write(writing, how) }
}

/** Fields that differ; keys that did not come along are those that are here. */
function differences(draft: ChannelDraft, before: Channel): string[] {
  const { own: ownBefore, ...plainBefore } = toChannelDraft(before, true)
  const { own, keys, ...plain } = draft
  const compared = keys.length === 0 ? plain : { ...plain, keys }
  return [
    ...changedFields<Partial<ChannelDraft>>(plainBefore, compared),
    ...(own && ownBefore ? changedFields(ownBefore, own) : []),
  ]
}

type Fields = Partial<Channel> & Pick<Channel, 'type' | 'name'>

function add(fields: Fields, isDisabled: boolean, { channels }: GatewayParts): void {
  channels.create({ ...fields, status: isDisabled ? 2 : 1 })
}

function replace(before: Channel, fields: Fields, isOff: boolean, parts: GatewayParts): void {
  const isMoved = isOff !== (before.status === 2)
  const status = isOff ? 2 : 1
  parts.channels.update(before.id, {
    ...fields,
    ...(isMoved && {
      status,
      otherInfo: statusNote('Changed by an import', { code: 'changed_by_import' }),
    }),
  })
}
