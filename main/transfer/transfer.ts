import type { Reason } from '../base/reason.ts'
import type { ReasonCode, SubjectCode } from './from/report/left-out-texts.ts'

/** The parts that can be exported and imported one by one. */
export const TRANSFER_PARTS = [
  'channels',
  'tokens',
  'routes',
  'prices',
  'settings',
  'groups',
  'users',
  'codes',
] as const

export type TransferPart = (typeof TRANSFER_PARTS)[number]

/** A channel of any gateway, as it is moved. Names are those of the management API. */
export interface ChannelDraft {
  name: string
  /** One of our channel types. */
  type: number
  /** null = the address of the type. */
  base_url: string | null
  /** Empty: no key came along. */
  keys: string[]
  models: string[]
  /** The file named no models, and the vendor's usual ones were entered. */
  has_usual_models?: true
  model_mapping: Record<string, string>
  /** Higher first. */
  priority: number
  weight: number
  /** Group names, separated by commas. */
  group: string
  tag: string | null
  disabled: boolean
  /** Fields that only our own export knows; an importer of a foreign format leaves it out. */
  own?: OwnChannelFields
}

/** Named as in the management API; objects where that has JSON as text. */
export interface OwnChannelFields {
  other: string
  status_code_mapping: Record<string, string>
  param_override: Record<string, unknown>
  header_override: Record<string, string>
  setting: Record<string, unknown>
  settings: Record<string, unknown>
  test_model: string | null
  openai_organization: string | null
  auto_ban: 0 | 1
  remark: string | null
  preset: string | null
  multi_key_mode: 'random' | 'polling' | null
  /** Disabled by the gateway; `disabled` is by hand. */
  auto_disabled: boolean
  /** Reason and time of the last change of status: JSON, or ''. */
  status_note: string
  /** One for each of `keys`; missing ones are enabled. */
  key_states: { status: 1 | 2 | 3; reason: string; time: number }[]
  /** Connections to public addresses only; left out by files that don't say. */
  public_only?: boolean
}

/** A key for clients. */
export interface TokenDraft {
  name: string
  /** User name of its holder; null = the owner. */
  user: string | null
  /** Without `sk-`; null: no key came along, a new one is drawn. */
  key: string | null
  disabled: boolean
  /** Unix seconds; -1 = never. */
  expired_time: number
  /** Units granted in all, used ones included; 500 000 = 1 USD. */
  granted_quota: number
  unlimited_quota: boolean
  /** null = all models. */
  models: string[] | null
  /** Addresses and CIDR ranges; empty = any. */
  allow_ips: string[]
  /** '' = the user's. */
  group: string
  cross_group_retry: boolean
  /** Units; null = any. */
  day_budget: number | null
  month_budget: number | null
  /** Per cent. */
  budget_warning: number
  requests_per_minute: number | null
  tokens_per_minute: number | null
  model_aliases: Record<string, string>
}

/** What a route may lead to. */
export interface TargetDraft {
  model: string
  /** Name of the only channel that may serve it; null = any. */
  channel: string | null
  tag: string | null
  weight: number
}

/** Conditions of a rule: those that are left out don't matter. Named as in the management API. */
export interface RuleConditionsDraft {
  min_input_tokens?: number
  max_input_tokens?: number
  images?: boolean
  tools?: boolean
  web_search?: boolean
  reasoning?: boolean
  background?: boolean
  clients?: string[]
  /** Each by its holder (null = the owner) and name. */
  tokens?: { user: string | null; name: string }[]
}

/** A name that stands for several models. */
export interface RouteDraft {
  name: string
  disabled: boolean
  targets: TargetDraft[]
  rules: { name: string; when: RuleConditionsDraft; targets: TargetDraft[] }[]
}

/** The price of a model; fields that are left out keep their built-in value. */
export interface PriceDraft {
  model: string
  /** Input price: 1 = 2 USD per million tokens. */
  model_ratio?: number
  /** Output price, as a multiple of the input price; the next ones likewise. */
  completion_ratio?: number
  cache_ratio?: number
  create_cache_ratio?: number
  image_ratio?: number
  audio_ratio?: number
  /** Spoken sound, as a multiple of heard sound. */
  audio_completion_ratio?: number
  /** USD a call, in place of all of the above. */
  model_price?: number
  /** USD a unit. */
  unit_price?: { second?: number; character?: number; image?: number; search?: number }
}

/** A user group. */
export interface GroupDraft {
  name: string
  /** Price factor. */
  ratio: number
  /** The description that users see when they may choose it; null = they may not. */
  description: string | null
  topup_ratio: number | null
  /** Factors for its users in other groups, by group. */
  ratios: Record<string, number>
  /** Place in the list that `auto` tries, from 0; null = not in it. */
  auto_place: number | null
}

/** Someone who signs in; never the owner. */
export interface UserDraft {
  username: string
  display_name: string
  /** 1 user, 10 administrator. */
  role: 1 | 10
  disabled: boolean
  email: string
  group: string
  /** Units granted in all, used ones included. */
  quota: number
  language: string
  remark: string
  /** Hash as Switchyard makes it; null: a password has to be set. */
  password_hash: string | null
}

/** A redemption code; exported under a passphrase only, since it is worth money. */
export interface CodeDraft {
  code: string
  name: string
  /** Units. */
  quota: number
  /** Unix seconds; 0 = never. */
  expired_time: number
  disabled: boolean
}

/** All that can be moved from one gateway to another. */
export interface Transfer {
  channels: ChannelDraft[]
  tokens: TokenDraft[]
  routes: RouteDraft[]
  prices: PriceDraft[]
  /** By the names of the option list; secrets only where they came along. */
  settings: Record<string, unknown>
  groups: GroupDraft[]
  users: UserDraft[]
  codes: CodeDraft[]
}

/** Something that could not be carried over. */
export interface LeftOut {
  /** As the foreign file calls it, such as `router.fallbacks[2]`; never a secret. */
  name: string
  /** A sentence. */
  reason: string
  /** The same by codes, for other languages; absent where the sentence has none. */
  coded?: {
    /** null: `of` is the name. */
    subject: SubjectCode | null
    of: string
    reason: ReasonCode
    params: Readonly<Record<string, string>>
  }
  /** Of an entry that was read and can't be used: the reason by code, and the field that it is about. */
  refused?: { part: TransferPart; name: string; field: string | null; reason: Reason }
}

/** The outcome of reading a foreign format. */
export interface Foreign {
  transfer: Partial<Transfer>
  leftOut: LeftOut[]
}

/** One foreign format. */
export interface Importer {
  /** Such as `litellm`. */
  id: string
  /** As its project writes it. */
  name: string
  /** Is this a text of that format? Cheap, and never throws. */
  detect(text: string, filename?: string): boolean
  /** Throws `GatewayError('invalid_params')` with a sentence for a text that can't be read. */
  read(text: string): Foreign
}
