import { z } from 'zod'
import { fieldProblems } from '../base/field-problems.ts'
import type {
  ChannelDraft,
  CodeDraft,
  GroupDraft,
  PriceDraft,
  RouteDraft,
  TargetDraft,
  TokenDraft,
  UserDraft,
} from './transfer.ts'

const texts = z.array(z.string())
const textMap = z.record(z.string(), z.string())
const anyMap = z.record(z.string(), z.unknown())
const limit = z.int().nullable()
const factor = z.number().min(0)
/** As settings hold it. */
const oneLine = z
  .string()
  .max(2000)
  .regex(/^[^\r\n]*$/, fieldProblems.field_single_line)

/**
 * The shape of each entry of an export; whether its values can be used is for the reader to say. Fields that
 * people may leave out of a file written by hand have defaults.
 */
export const channelDraft: z.ZodType<ChannelDraft> = z.object({
  name: z.string(),
  type: z.int(),
  base_url: z.string().nullable().default(null),
  keys: texts.default([]),
  models: texts,
  has_usual_models: z.literal(true).exactOptional(),
  model_mapping: textMap.default({}),
  priority: z.int().default(0),
  weight: z.int().default(0),
  group: z.string().default('default'),
  tag: z.string().nullable().default(null),
  disabled: z.boolean().default(false),
  own: z
    .object({
      other: z.string(),
      status_code_mapping: textMap,
      param_override: anyMap,
      header_override: textMap,
      setting: anyMap,
      settings: anyMap,
      test_model: z.string().nullable(),
      openai_organization: z.string().nullable(),
      auto_ban: z.literal([0, 1]),
      remark: z.string().nullable(),
      preset: z.string().nullable(),
      multi_key_mode: z.enum(['random', 'polling']).nullable(),
      auto_disabled: z.boolean().default(false),
      status_note: z.string().max(2000).default(''),
      key_states: z
        .array(
          z.object({ status: z.literal([1, 2, 3]), reason: z.string().max(2000), time: z.int() }),
        )
        .default([]),
      public_only: z.boolean().exactOptional(),
    })
    .exactOptional(),
})

export const tokenDraft: z.ZodType<TokenDraft> = z.object({
  name: z.string(),
  user: z.string().nullable().default(null),
  key: z.string().nullable().default(null),
  disabled: z.boolean().default(false),
  expired_time: z.int().default(-1),
  granted_quota: z.int().default(0),
  unlimited_quota: z.boolean().default(false),
  models: texts.nullable().default(null),
  allow_ips: texts.default([]),
  group: z.string().default(''),
  cross_group_retry: z.boolean().default(false),
  day_budget: limit.default(null),
  month_budget: limit.default(null),
  budget_warning: z.int().default(80),
  requests_per_minute: limit.default(null),
  tokens_per_minute: limit.default(null),
  model_aliases: z.record(z.string(), z.string()).default({}),
})

const target: z.ZodType<TargetDraft> = z.object({
  model: z.string(),
  channel: z.string().nullable().default(null),
  tag: z.string().nullable().default(null),
  weight: z.int().default(0),
})

const count = z.int().exactOptional()
const flag = z.boolean().exactOptional()

export const routeDraft: z.ZodType<RouteDraft> = z.object({
  name: z.string(),
  disabled: z.boolean().default(false),
  targets: z.array(target),
  rules: z
    .array(
      z.object({
        name: z.string(),
        when: z.strictObject({
          min_input_tokens: count,
          max_input_tokens: count,
          images: flag,
          tools: flag,
          web_search: flag,
          reasoning: flag,
          background: flag,
          clients: texts.exactOptional(),
          tokens: z
            .array(z.object({ user: z.string().nullable().default(null), name: z.string() }))
            .exactOptional(),
        }),
        targets: z.array(target),
      }),
    )
    .default([]),
})

export const priceDraft: z.ZodType<PriceDraft> = z.object({
  model: z.string().min(1).max(255),
  model_ratio: factor.exactOptional(),
  completion_ratio: factor.exactOptional(),
  cache_ratio: factor.exactOptional(),
  create_cache_ratio: factor.exactOptional(),
  image_ratio: factor.exactOptional(),
  audio_ratio: factor.exactOptional(),
  audio_completion_ratio: factor.exactOptional(),
  model_price: factor.exactOptional(),
  unit_price: z
    .object({
      second: factor.exactOptional(),
      character: factor.exactOptional(),
      image: factor.exactOptional(),
      search: factor.exactOptional(),
    })
    .exactOptional(),
})

export const groupDraft: z.ZodType<GroupDraft> = z.object({
  name: oneLine.min(1).max(64),
  ratio: factor,
  description: oneLine.nullable().default(null),
  topup_ratio: factor.nullable().default(null),
  ratios: z.record(z.string(), factor).default({}),
  auto_place: z.int().min(0).nullable().default(null),
})

export const userDraft: z.ZodType<UserDraft> = z.object({
  username: z.string(),
  display_name: z.string().default(''),
  role: z.literal([1, 10]).default(1),
  disabled: z.boolean().default(false),
  email: z.string().default(''),
  group: z.string().default('default'),
  quota: z.int().default(0),
  language: z.string().max(20).default(''),
  remark: z.string().default(''),
  password_hash: z
    .string()
    .regex(
      /^scrypt\$(?:[1-9]|1[0-8])\$8\$1\$[\w+/=]+\$[\w+/=]+$/,
      'must be a hash as Switchyard makes it',
    )
    .nullable()
    .default(null),
})

export const codeDraft: z.ZodType<CodeDraft> = z.object({
  code: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'),
  name: z.string().max(50),
  quota: z.int().min(0),
  expired_time: z.int().min(0).default(0),
  disabled: z.boolean().default(false),
})
