import { GatewayError } from '../../../base/errors.ts'
import { keyLines } from '../../../relay/channel/channel-keys.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { channelDraft } from '../../../transfer/draft-schemas.ts'
import type { ChannelDraft } from '../../../transfer/transfer.ts'
import { statusNote } from '../../channels/channel-key-states.ts'
import { previewOf } from '../../channels/channel-record.ts'
import { checkChannel } from '../../channels/channel-write.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { channelsOfAccount, isSamePlace } from '../same-account.ts'
import { type Change, changesOf } from './changes.ts'
import { readFields, toChannelDraft, withSecrets } from './channel-draft.ts'
import { withoutSecrets } from './hide-secrets.ts'
import { note } from './item-notes.ts'
import { freeName, type Origin, type Plan, type PlannedItem, planEach } from './plan.ts'

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

/** A channel that is here already, and whether it was found by its key alone. */
interface Match {
  channel: Channel
  isByKey: boolean
}

/** By name, several of one name in their order. */
function matchByName(
  draft: ChannelDraft,
  here: readonly Channel[],
  taken: ReadonlySet<number>,
): Match | null {
  const named = here.filter(({ id, name }) => name === draft.name && !taken.has(id))
  const channel = named.find((one) => isSamePlace(draft, one)) ?? named[0]
  return channel ? { channel, isByKey: false } : null
}

/** By vendor, address and key, whatever it is called. */
function matchByKey(draft: ChannelDraft, here: readonly Channel[]): Match | null {
  const same = channelsOfAccount(draft, here)
  const channel =
    same.find((one) => covers(one, draft)) ??
    same.find(({ name }) => name === draft.name) ??
    same[0]
  return channel ? { channel, isByKey: true } : null
}

/** Fields that another program's file doesn't have stay as they are. */
function withUnsaid(draft: ChannelDraft, before: Channel): ChannelDraft {
  const kept = toChannelDraft(before)
  const hasMapping = Object.keys(draft.model_mapping).length > 0
  const { has_usual_models: isGuess, ...said } = draft
  return {
    ...said,
    models: isGuess ? kept.models : draft.models,
    name: kept.name,
    base_url: isSamePlace(draft, before) ? kept.base_url : draft.base_url,
    group: draft.group === 'default' ? kept.group : draft.group,
    tag: draft.tag ?? kept.tag,
    priority: draft.priority || kept.priority,
    weight: draft.weight || kept.weight,
    model_mapping: hasMapping ? draft.model_mapping : kept.model_mapping,
    disabled: draft.keys.length > 0 ? draft.disabled : kept.disabled,
  }
}

/** Does the channel have all keys and serve all models of the draft? */
function covers(channel: Channel, draft: ChannelDraft): boolean {
  const { keys, models, model_mapping, has_usual_models: isGuess } = draft
  const has = new Set(keyLines(channel.key))
  const served = new Set(channel.models)
  const isMapped = (model: string) =>
    (model_mapping[model] ?? model) === (channel.modelMapping[model] ?? model)
  return (
    keys.every((key) => has.has(key)) &&
    (isGuess || models.every((model) => served.has(model) && isMapped(model)))
  )
}

/** Compares the channels of an import with those that are here. */
export function planChannels(
  entries: readonly unknown[],
  parts: GatewayParts,
  origin: Origin,
): Plan {
  const taken = new Set<number>()
  const here = parts.channels.all()
  const matchOf = (draft: ChannelDraft): Match | null => {
    const byName = () => matchByName(draft, here, taken)
    const byKey = () => matchByKey(draft, here)
    const match = origin === 'own' ? (byName() ?? byKey()) : (byKey() ?? byName())
    if (match && !match.isByKey) taken.add(match.channel.id)
    return match
  }
  return planEach('channels', entries, channelDraft, (entry) => {
    const match = matchOf(entry)
    return match ? planMatched(entry, match, origin, parts) : planNew(entry, origin, parts)
  })
}

type Planned = Omit<PlannedItem, 'part'>

function planNew(entry: ChannelDraft, origin: Origin, parts: GatewayParts): Planned {
  const { draft, lost } = withSecrets(entry, undefined)
  const fields = newFields(draft, parts)
  const notes = [
    ...(origin === 'foreign' && entry.base_url ? [note('goes_to', hostOf(entry.base_url))] : []),
    ...(lacksKey(fields) ? [note('no_key')] : []),
    ...lost,
  ]
  return {
    name: draft.name,
    state: 'new',
    changes: [],
    notes,
    write: (_how, { parts: now }) => void now.channels.create(fields),
  }
}

function planMatched(
  entry: ChannelDraft,
  { channel: before, isByKey }: Match,
  origin: Origin,
  parts: GatewayParts,
): Planned {
  const isForeign = origin === 'foreign'
  const { draft, lost } = withSecrets(isForeign ? withUnsaid(entry, before) : entry, before)
  const isSame = isSamePlace(draft, before)
  const isHere = isForeign && isByKey && covers(before, entry)
  const changes = isHere ? [] : differences(draft, before)
  const isUnsure = isForeign || isByKey || !isSame
  // A key stays with the address that it was given for.
  const losesKey = !isSame && draft.keys.length === 0
  const after = changedChannel(draft, before, losesKey, parts)
  const second = newFields(withSecrets(entry, undefined).draft, parts)
  return {
    name: entry.name,
    state: changes.length === 0 ? 'same' : isUnsure ? 'conflict' : 'changed',
    changes,
    notes: [
      ...(isByKey ? [note('same_key', before.name)] : []),
      ...(losesKey ? [note('key_stays')] : []),
      ...lost,
    ],
    write(how, { parts: { channels } }) {
      if (how === 'replace') return void channels.update(before.id, after)
      const names = new Set(channels.all().map(({ name }) => name))
      const isTaken = (name: string) => names.has(name)
      const name = isTaken(second.name) ? freeName(second.name, isTaken) : second.name
      channels.create({ ...second, name })
    },
  }
}

/** With the scheme where that is not https: the key would go there in the clear. */
function hostOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { protocol, host } = new URL(address)
  return protocol === 'https:' ? host : `${protocol}//${host}`
}

type Fields = Partial<Channel> & Pick<Channel, 'type' | 'name'>

/** Of a channel that is made of the draft. */
function newFields(draft: ChannelDraft, parts: GatewayParts): Fields {
  const { type, name, own } = draft
  const fields = { ...readFields(draft, parts), type, name }
  return {
    ...fields,
    status: draft.disabled || lacksKey(fields) ? 2 : own?.auto_disabled ? 3 : 1,
    otherInfo: own?.status_note ?? '',
    publicOnly: own?.public_only ?? false,
  }
}

/** Of a channel that becomes what the draft says. */
function changedChannel(
  draft: ChannelDraft,
  before: Channel,
  losesKey: boolean,
  parts: GatewayParts,
): Fields {
  const { type, name, own, keys } = draft
  const withoutKey = losesKey ? { key: '', keyStates: [], multiKeyMode: null } : {}
  const fields = { ...readFields(draft, parts), type, name, ...withoutKey }
  const isOff = draft.disabled || lacksKey({ ...before, ...fields })
  const isAutoOff = own ? own.auto_disabled : before.status === 3 && keys.length === 0
  const status = isOff ? 2 : isAutoOff ? 3 : 1
  const isKept = isSamePlace(draft, before) && before.publicOnly
  return {
    ...fields,
    publicOnly: isKept || (own?.public_only ?? false),
    ...(status !== before.status && {
      status,
      otherInfo:
        own?.status_note || statusNote('Changed by an import', { code: 'changed_by_import' }),
    }),
  }
}

/** As one flat record; keys and their states only where they came along. */
function comparable({ own, keys, ...plain }: ChannelDraft, hasKeys: boolean): object {
  const { key_states = [], status_note: _note, ...others } = own ?? {}
  return {
    ...plain,
    ...others,
    ...(hasKeys && { keys }),
    ...(hasKeys && own && { key_states: key_states.map(({ status }) => status) }),
  }
}

/** Fields that differ; keys that did not come along are those that are here. */
function differences(draft: ChannelDraft, before: Channel): Change[] {
  const hasKeys = draft.keys.length > 0
  const old = toChannelDraft(before)
  const from = comparable(old, hasKeys)
  const shown = (one: ChannelDraft) =>
    comparable({ ...withoutSecrets(one).draft, keys: one.keys.map(previewOf) }, hasKeys)
  return changesOf(from, comparable(draft, hasKeys), (fields) =>
    shown(fields === from ? old : draft),
  )
}
