import { presets } from '../../adaptor/presets.ts'
import type { ChannelDraft, Foreign, LeftOut, RouteDraft, TargetDraft } from '../transfer.ts'
import { leftOutBecause } from './report/left-out-because.ts'
import type { Reason, Subject } from './report/left-out-texts.ts'
import type { Vendor } from './vendor/vendors.ts'

/** A key as a foreign file gives it: in clear, or by the name of a variable. */
export interface ForeignKey {
  key: string
  /** Set where the file names a variable whose value isn't known here. */
  variable?: string
}

/** One account of a foreign file, before it is a channel. */
export interface Account {
  name: string
  vendor: Vendor
  keys: readonly ForeignKey[]
  /** Said of a vendor's account that comes without a key, where there is more to say. */
  whyNoKey?: Reason
  models?: readonly string[]
  /** Asked name → the vendor's. */
  mapping?: Readonly<Record<string, string>>
  /** Higher comes first. */
  priority?: number
  weight?: number
  group?: string
  tag?: string | null
  disabled?: boolean
}

/** In a header only visible ASCII can travel. */
const isKey = (key: string): boolean => /^[\x21-\x7e]{1,8192}$/.test(key)

/** Put where a tool wants a key and the server doesn't. */
const isPlaceholder = (key: string): boolean =>
  /^(?:none|null|empty|dummy|no-?key|not-?needed|changeme|x+|sk-x+|sk-\.{2,}|<.*>|your[-_].*|sk-your.*)$/i.test(
    key,
  )

const LONGEST_NAME = 200
const LONGEST_MODEL = 255

/** Commas part the names of a list. */
const isModelName = (name: string): boolean =>
  name !== '' && name.length <= LONGEST_MODEL && !/[,\p{Cc}]/u.test(name)

/** Gathers what a foreign file holds: channels, and everything that stays behind with its reason. */
export class Carried {
  readonly #channels: ChannelDraft[] = []
  readonly #routes: RouteDraft[] = []
  readonly #byAccount = new Map<string, ChannelDraft[]>()
  readonly #names = new Set<string>()
  readonly #leftOut = new Map<string, LeftOut>()

  /** A line of the report; the same one twice is one. A text as subject is a name of the file's own. */
  leave(subject: Subject, reason: Reason): void {
    this.#keep(leftOutBecause(subject, reason))
  }

  #keep(row: LeftOut): void {
    this.#leftOut.set(JSON.stringify(row), row)
  }

  /** Adds a channel; an account that is there already gets the further models. */
  add(account: Account): void {
    const { vendor } = account
    const name = account.name.trim().replace(/\p{Cc}+/gu, ' ') || vendor.name
    const keys = this.#keysOf(account, name)
    const isWithoutKey = keys.length === 0 && vendor.needsKey
    const draft: ChannelDraft = {
      name,
      type: vendor.type,
      base_url: vendor.base_url,
      keys,
      models: this.#modelsOf(account, name),
      model_mapping: { ...account.mapping },
      priority: account.priority ?? 0,
      weight: account.weight ?? 0,
      group: account.group ?? 'default',
      tag: account.tag ?? null,
      disabled: account.disabled === true || isWithoutKey,
    }
    if (this.#join(draft)) return
    draft.name = this.#unused(name)
    this.#channels.push(draft)
  }

  /** Lets every channel that lists a model serve it under another name too; false where none does, or the name is taken. */
  alias(name: string, model: string): boolean {
    const listing = (one: string) => this.#channels.filter(({ models }) => models.includes(one))
    if (!isModelName(name) || listing(name).length > 0) return false
    const serving = listing(model)
    for (const draft of serving) {
      const { model_mapping: mapping } = draft
      const target = Object.hasOwn(mapping, model) ? mapping[model] : undefined
      draft.models = [...draft.models, name]
      draft.model_mapping = { ...mapping, [name]: target ?? model }
    }
    return serving.length > 0
  }

  /** A route's target; null where no channel lists the model. `provider`: the one of several channels that is meant. */
  target(model: string, provider?: string): TargetDraft | null {
    const listing = this.#channels.filter(({ models }) => models.includes(model))
    if (listing.length === 0) return null
    // Its further keys have channels of their own, by its name and a number.
    const isOfProvider = (name: string) => name.replace(/ \d+$/, '') === provider
    const isMeant =
      listing.some(({ name }) => name === provider) &&
      !listing.every(({ name }) => isOfProvider(name))
    return {
      model,
      channel: isMeant && provider !== undefined ? provider : null,
      tag: null,
      weight: 0,
    }
  }

  /** Adds a route, which needs a target; one that is there already gets the further ones. */
  route(name: string, targets: TargetDraft[], rules: RouteDraft['rules'] = []): void {
    const same = this.#routes.find((route) => route.name === name)
    if (!same) this.#routes.push({ name, disabled: false, targets, rules })
    else {
      const isNew = ({ model }: TargetDraft) => !same.targets.some((one) => one.model === model)
      same.targets.push(...targets.filter(isNew))
    }
  }

  foreign(): Foreign {
    for (const draft of this.#channels) this.#fillModels(draft)
    const routes = this.#routes.length > 0 ? { routes: this.#routes } : {}
    return {
      transfer: { channels: this.#channels, ...routes },
      leftOut: [...this.#leftOut.values()],
    }
  }

  get count(): number {
    return this.#channels.length
  }

  /** A channel needs a model, and many files name none: keys alone, or what the tool knows by itself. */
  #fillModels(draft: ChannelDraft): void {
    if (draft.models.length > 0) return
    const { name, type, base_url } = draft
    const usual =
      presets.find((one) => one.type === type && one.base_url === base_url) ??
      presets.find((one) => one.type === type)
    draft.models = [...(usual?.models ?? [])]
    const hasSome = draft.models.length > 0
    if (hasSome) draft.has_usual_models = true
    const reason: Reason = hasSome ? ['some_models', { vendor: usual?.name ?? '' }] : 'no_models'
    this.leave(['models', name], reason)
  }

  #keysOf({ keys, vendor, whyNoKey }: Account, name: string): string[] {
    const found = new Set<string>()
    for (const { key, variable } of keys) {
      if (variable !== undefined)
        this.leave(['key', name], ['key_in_variable', { variable: variable.slice(0, 100) }])
      else if (key === '' || isPlaceholder(key)) continue
      else if (isKey(key)) found.add(key)
      else this.leave(['key', name], 'wrong_key')
    }
    const isSaid = keys.some(({ variable }) => variable !== undefined)
    if (found.size === 0 && vendor.needsKey && !isSaid) {
      this.leave(['key', name], whyNoKey ?? 'no_key')
    }
    return [...found]
  }

  #modelsOf({ models = [], mapping = {} }: Account, name: string): string[] {
    const all = new Set([...models, ...Object.keys(mapping)].map((model) => model.trim()))
    all.delete('')
    for (const model of all) {
      if (isModelName(model)) continue
      all.delete(model)
      this.leave(['one_model', name], ['no_model_name', { model: model.slice(0, 40) }])
    }
    return [...all]
  }

  /** Puts the models into a channel of the same account, where they don't contradict it. */
  #join(draft: ChannelDraft): boolean {
    const { name: _name, models: _models, model_mapping, ...account } = draft
    if (account.keys.length === 0) return false
    const id = JSON.stringify(account)
    const same = this.#byAccount.get(id) ?? []
    const one = same.find((other) => agree(other.model_mapping, model_mapping, other, draft))
    if (!one) {
      this.#byAccount.set(id, [...same, draft])
      return false
    }
    one.models = [...new Set([...one.models, ...draft.models])]
    one.model_mapping = { ...one.model_mapping, ...model_mapping }
    return true
  }

  #unused(name: string): string {
    let unused = name.slice(0, LONGEST_NAME)
    for (let count = 2; this.#names.has(unused); count++) {
      unused = `${name.slice(0, LONGEST_NAME - 8)} ${count}`
    }
    this.#names.add(unused)
    return unused
  }
}

/** Does a name stand for the same model in both? */
function agree(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
  { models }: ChannelDraft,
  { models: others }: ChannelDraft,
): boolean {
  const target = (mapping: Readonly<Record<string, string>>, model: string) =>
    Object.hasOwn(mapping, model) ? mapping[model] : model
  return [...new Set([...models, ...others])].every((model) => {
    const isShared = models.includes(model) && others.includes(model)
    return !isShared || target(one, model) === target(other, model)
  })
}
