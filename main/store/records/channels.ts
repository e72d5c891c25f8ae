import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import { createSealedText } from '../secret-key/sealed-text.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'
import type { KeyState, State, StateData, StoredChannel, TestResult } from '../state/state.ts'
import { omitUndefined } from './omit-undefined.ts'

/** A channel's `setting` object, with the names it has on the wire. */
export interface ChannelSetting {
  force_format?: boolean
  thinking_to_content?: boolean
  pass_through_body_enabled?: boolean
  /** Plain in memory, sealed at rest. */
  proxy?: string
  system_prompt?: string
  system_prompt_override?: boolean
  [unknown: string]: unknown
}

/** A channel's `settings` object, with the names it has on the wire. */
export interface ChannelSettings {
  endpoint_types?: string[]
  /** Time limits in seconds; absent = the option's, 0 = none. */
  connect_seconds?: number
  first_byte_seconds?: number
  idle_seconds?: number
  total_seconds?: number
  /** Claude Code's billing note is left out; absent = everywhere but at Anthropic itself. */
  strip_billing_header?: boolean
  /** Caches at Google are made where a request's cache marks ask for it. */
  explicit_caching?: boolean
  [unknown: string]: unknown
}

/** A configured account at a vendor. Frozen; change it with `update`. */
export interface Channel {
  id: number
  type: number
  name: string
  /** Plain in memory, sealed at rest; several keys one per line. */
  key: string
  /** The stored key cannot be opened: `key` is '', and must be entered again unless it is locked. */
  keyUnreadable: boolean
  /** Its key, proxy or headers are sealed under the data key, which is locked. */
  isLocked: boolean
  /** 1 enabled, 2 disabled, 3 disabled by the gateway. */
  status: 1 | 2 | 3
  /** '' = the type's own. */
  baseUrl: string
  other: string
  models: string[]
  groups: string[]
  weight: number
  /** Higher first. */
  priority: number
  tag: string | null
  modelMapping: Record<string, string>
  paramOverride: Record<string, unknown>
  headerOverride: Record<string, string>
  statusCodeMapping: Record<string, string>
  testModel: string | null
  openaiOrganization: string | null
  autoBan: 0 | 1
  remark: string | null
  setting: ChannelSetting
  settings: ChannelSettings
  /** JSON: `{status_reason, status_time}` of the last change of status. */
  otherInfo: string
  preset: string | null
  /** Unix seconds, as all times here. */
  createdTime: number
  testTime: number
  /** Milliseconds of the last test. */
  responseTime: number
  /** Result of the last test; null where it is not known. */
  lastTest: TestResult | null
  /** US dollars at the vendor. */
  balance: number
  balanceUpdatedTime: number
  /** How a key is drawn from several; null = the channel has one. */
  multiKeyMode: 'random' | 'polling' | null
  /** One for each line of `key`; missing ones are enabled. */
  keyStates: KeyState[]
  /**
   * An administrator who is not the owner named its address or proxy: connections are made to public
   * addresses only.
   */
  publicOnly: boolean
}

export type ChannelFields = Pick<Channel, 'type' | 'name'> &
  Partial<Omit<Channel, 'id' | 'keyUnreadable' | 'isLocked'>>

/** The fields of one channel that are to be different. */
export interface ChannelChange {
  id: number
  fields: Partial<Channel>
}

export interface Channels {
  all(): readonly Channel[]
  byId(id: number): Channel | undefined
  create(fields: ChannelFields): Channel
  /** All of them in one write, or none. */
  createMany(list: readonly ChannelFields[]): Channel[]
  /** Throws `not_found` for an unknown id. An unreadable key stays as it is until a new one is given. */
  update(id: number, fields: Partial<Channel>): Channel
  /** The same for several in one write, or for none; an id that does not exist is passed over. */
  updateMany(changes: readonly ChannelChange[]): void
  /** Returns how many there were. */
  remove(ids: readonly number[]): number
  /** Enabled channels that serve a model in a group, in order of id. */
  serving(group: string, model: string): readonly Channel[]
  /** Models of all enabled channels in a group, sorted, each once. */
  models(group: string): readonly string[]
  /** Works out anew what `serving` and `models` give; they follow every change by themselves. */
  reindex(): void
}

const NONE: readonly never[] = Object.freeze([])

/** Lookup tables for routing, rebuilt after each change. */
class ChannelIndex {
  readonly all: readonly Channel[]
  readonly byId: ReadonlyMap<number, Channel>
  readonly groups = new Map<string, Map<string, Channel[]>>()
  readonly models = new Map<string, readonly string[]>()

  constructor(channels: readonly Channel[]) {
    this.all = Object.freeze(channels)
    this.byId = new Map(channels.map((channel) => [channel.id, channel]))
    for (const channel of channels) if (channel.status === 1) this.add(channel)
    for (const [group, models] of this.groups) {
      this.models.set(group, Object.freeze([...models.keys()].sort()))
    }
  }

  private add(channel: Channel): void {
    for (const group of channel.groups) {
      const models = this.groups.get(group) ?? new Map<string, Channel[]>()
      this.groups.set(group, models)
      for (const model of channel.models) {
        const serving = models.get(model)
        if (!serving) models.set(model, [channel])
        // It stands there already when it names the model or the group twice.
        else if (serving.at(-1) !== channel) serving.push(channel)
      }
    }
  }
}

/** The channels of a state; their keys, proxies and headers are opened and sealed on the way. */
export function createChannels(state: State, box: SecretBox): Channels {
  const sealed = createSealedText(box)
  let seen: unknown
  let version: unknown
  let index = new ChannelIndex([])

  const current = (): ChannelIndex => {
    if (state.data.channels !== seen || version !== box.version) {
      index = new ChannelIndex(state.data.channels.map(toChannel))
      seen = state.data.channels
      version = box.version
    }
    return index
  }

  const toChannel = readOnce(
    (stored: StoredChannel): Channel => {
      const key = sealed.open(stored.key)
      const others = [String(stored.setting.proxy ?? ''), ...Object.values(stored.headerOverride)]
      const isLocked = [stored.key, ...others].some((text) => box.isLocked(text))
      const setting = openSetting(stored.setting)
      const headerOverride = openHeaders(stored.headerOverride)
      const keyUnreadable = key === null
      const secrets = { setting, headerOverride, key: key ?? '', keyUnreadable, isLocked }
      return Object.freeze({ ...stored, ...secrets })
    },
    () => box.version,
  )

  /** Headers hold keys too. Files of before have them plain. */
  const openHeaders = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, sealed.open(value) ?? value]),
    )

  const sealHeaders = (
    headers: Record<string, string>,
    before: Record<string, string> = {},
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        // As with a proxy, one that could not be opened comes back as it is stored.
        value === before[name] ? value : sealed.seal(value, before[name]),
      ]),
    )

  /** A proxy that cannot be opened any more stays sealed: no call may go without the proxy that it should have. */
  const openSetting = (setting: ChannelSetting): ChannelSetting => {
    const proxy = setting.proxy && sealed.open(setting.proxy)
    return proxy ? { ...setting, proxy } : setting
  }

  const sealSetting = (setting: ChannelSetting, before: ChannelSetting = {}): ChannelSetting =>
    // One that could not be opened comes back as it is stored.
    setting.proxy && setting.proxy !== before.proxy
      ? { ...setting, proxy: sealed.seal(setting.proxy, before.proxy) }
      : setting

  const find = (id: number): Channel => {
    const channel = current().byId.get(id)
    if (!channel) {
      throw new GatewayError('not_found', {
        message: `There is no channel ${id}. It may have been deleted: reload the list.`,
        field: 'id',
        reason: { code: 'no_channel', id },
      })
    }
    return channel
  }

  const append = (
    draft: StateData,
    { key, setting = {}, headerOverride = {}, ...fields }: ChannelFields,
  ): number => {
    const id = draft.nextId.channel++
    draft.channels.push({
      ...blankChannel,
      createdTime: unixSeconds(),
      ...structuredClone(omitUndefined(fields)),
      setting: sealSetting(structuredClone(setting)),
      headerOverride: sealHeaders(headerOverride),
      id,
      key: sealed.seal(key ?? ''),
    })
    return id
  }

  const change = (
    stored: StoredChannel,
    before: Channel,
    {
      id: _id,
      keyUnreadable: _unreadable,
      isLocked: _locked,
      key,
      setting,
      headerOverride,
      ...fields
    }: Partial<Channel>,
  ): void => {
    Object.assign(stored, structuredClone(omitUndefined(fields)))
    if (setting) stored.setting = sealSetting(structuredClone(setting), stored.setting)
    if (headerOverride) stored.headerOverride = sealHeaders(headerOverride, stored.headerOverride)
    // A form that shows an unreadable key as '' sends '' back: that must not destroy it.
    const keep = key === undefined || (key === '' && before.keyUnreadable)
    if (!keep) stored.key = sealed.seal(key, stored.key)
  }

  return {
    all: () => current().all,
    byId: (id) => current().byId.get(id),
    create: (fields) => find(state.update((draft) => append(draft, fields))),
    createMany: (list) =>
      state.update((draft) => list.map((fields) => append(draft, fields))).map(find),

    update(id, fields) {
      const before = find(id)
      state.update((draft) => {
        const stored = draft.channels.find((channel) => channel.id === id)
        if (stored) change(stored, before, fields)
      })
      return find(id)
    },

    updateMany(changes) {
      const byId = new Map(changes.map(({ id, fields }) => [id, fields]))
      if (byId.size === 0) return
      const places = state.data.channels.flatMap(({ id }, index) => (byId.has(id) ? [index] : []))
      state.update((draft) => {
        for (const index of places) {
          const stored = draft.channels[index]
          const fields = stored && byId.get(stored.id)
          if (stored && fields) change(stored, find(stored.id), fields)
        }
      })
    },

    remove(ids) {
      const gone = new Set(ids.filter((id) => current().byId.has(id)))
      if (gone.size === 0) return 0
      state.update((draft) => {
        // Records themselves do not change: a draft of each would cost more than the removal.
        draft.channels = state.data.channels.filter(({ id }) => !gone.has(id))
      })
      return gone.size
    },

    serving: (group, model) => current().groups.get(group)?.get(model) ?? NONE,
    models: (group) => current().models.get(group) ?? NONE,
    reindex() {
      seen = undefined
    },
  }
}

/** A channel of which nothing is said. */
export const blankChannel: Omit<StoredChannel, 'id' | 'type' | 'name' | 'key' | 'createdTime'> = {
  status: 1,
  baseUrl: '',
  other: '',
  models: [],
  groups: ['default'],
  weight: 0,
  priority: 0,
  tag: null,
  modelMapping: {},
  paramOverride: {},
  headerOverride: {},
  statusCodeMapping: {},
  testModel: null,
  openaiOrganization: null,
  autoBan: 1,
  remark: null,
  setting: {},
  settings: {},
  otherInfo: '',
  preset: null,
  testTime: 0,
  responseTime: 0,
  lastTest: null,
  balance: 0,
  balanceUpdatedTime: 0,
  multiKeyMode: null,
  keyStates: [],
  publicOnly: false,
}
