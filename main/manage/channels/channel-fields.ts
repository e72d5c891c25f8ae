import { z } from 'zod'
import { ENDPOINT_TYPES } from '../../adaptor/adaptor.ts'
import { adaptorOf, channelTypes } from '../../adaptor/adaptors.ts'
import { presets } from '../../adaptor/presets.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'
import { asObject } from '../../convert/json/json-value.ts'
import { modelRules } from '../../convert/model/model-rules.ts'
import { flag, integer, line } from '../operation/input-fields.ts'
import { checkedJsonObject, type JsonProblem, jsonProblem } from '../operation/json-text.ts'
import { wrongProxy } from './channel-proxy.ts'
import { wrongParamOverride } from './param-override-check.ts'

/**
 * The problem with a channel's `model_rules`, or null: an object from model names (or `*`) to the rules
 * that differ from the built-in ones, each of the built-in one's type.
 */
function wrongModelRules(rules: unknown): JsonProblem | null {
  const models = asObject(rules)
  if (!models) {
    return jsonProblem('model_rules must be an object from model names, or *, to rules', {
      code: 'model_rules_object',
    })
  }
  const known = modelRules('chat', '') as unknown as Record<string, unknown>
  for (const [model, rules] of Object.entries(models)) {
    const list = asObject(rules)
    if (!list) {
      return jsonProblem(`model_rules["${model}"] must be an object`, {
        code: 'model_rules_of_object',
        model,
      })
    }
    for (const [name, value] of Object.entries(list)) {
      if (!(name in known)) {
        const names = Object.keys(known).join(', ')
        return jsonProblem(
          `model_rules["${model}"] names "${name}", which isn’t a rule; known: ${names}`,
          { code: 'model_rule_unknown', model, name, names },
        )
      }
      const isList = Array.isArray(known[name])
      if (isList ? !Array.isArray(value) : typeof value !== typeof known[name]) {
        const kind = isList ? 'list' : typeof known[name]
        return jsonProblem(`model_rules["${model}"].${name} must be a ${kind}`, {
          code: 'model_rule_kind',
          model,
          name,
          kind,
        })
      }
    }
  }
  return null
}

/** `a, b,,b` → a, b. */
const list = (longest: number) =>
  z.string().transform((text, context) => {
    const items = new Set(text.split(/[,\n]/).map((item) => item.trim()))
    items.delete('')
    const wrong = [...items].find((item) => item.length > longest || /\p{Cc}/u.test(item))
    if (wrong !== undefined) {
      context.addIssue({
        code: 'custom',
        message: `holds a name that is longer than ${longest} characters or has control characters: "${wrong.slice(0, 40)}"`,
        params: {
          reason: {
            code: 'field_long_name',
            most: longest,
            name: wrong.slice(0, 40),
          } satisfies Reason,
        },
      })
    }
    return [...items]
  })

/** One key a line; a key travels in a header, which takes visible ASCII only. */
const key = z
  .string()
  .max(100_000)
  .transform((text, context) => {
    const lines = text.split(/\r?\n/).map((one) => one.trim())
    const keys = lines.filter((one) => one !== '')
    if (keys.some((one) => !/^[\x21-\x7e]+$/.test(one))) {
      context.addIssue({
        code: 'custom',
        message: fieldProblems.field_keys,
      })
    }
    return keys.join('\n')
  })

const modelMapping = checkedJsonObject<Record<string, string>>((value) => {
  const wrong = Object.entries(value).find(([, to]) => typeof to !== 'string' || to.trim() === '')
  if (wrong) {
    return jsonProblem(`must map each name to a name, which it does not for "${wrong[0]}"`, {
      code: 'mapping_of_names',
      name: wrong[0],
    })
  }
  const circle = Object.keys(value).find((from) => goesRound(from, value))
  return circle === undefined
    ? null
    : jsonProblem(`loops at "${circle}"`, { code: 'mapping_loops', name: circle })
})

/** A name that maps to itself ends its chain; any other circle never would. */
function goesRound(from: string, mapping: Record<string, unknown>): boolean {
  const seen = new Set<unknown>()
  let current: unknown = from
  while (typeof current === 'string' && Object.hasOwn(mapping, current)) {
    if (mapping[current] === current) return false
    if (seen.has(current)) return true
    seen.add(current)
    current = mapping[current]
  }
  return false
}

const isStatus = (text: string): boolean => /^[1-5]\d\d$/.test(text)
/** Neither informational nor a redirect: no client is sent elsewhere. */
const isFinalStatus = (text: string): boolean => /^[245]\d\d$/.test(text)

const statusCodeMapping = checkedJsonObject<Record<string, string>>((value) => {
  const wrong = Object.entries(value).find(
    ([from, to]) => !isStatus(from) || typeof to !== 'string' || !isFinalStatus(to),
  )
  return wrong
    ? jsonProblem(`must be like {"429": "503"}, which "${wrong[0]}" is not`, {
        code: 'status_mapping_like',
        name: wrong[0],
      })
    : null
}, 1024)

const paramOverride = checkedJsonObject(wrongParamOverride)

const headerOverride = checkedJsonObject<Record<string, string>>((value) => {
  for (const [name, text] of Object.entries(value)) {
    const isPassing = name === '*' || name.startsWith('re:')
    if (!isPassing && !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      return jsonProblem(`"${name}" isn’t a valid header name`, { code: 'header_name_wrong', name })
    }
    if (typeof text !== 'string') {
      return jsonProblem(`the value of "${name}" must be text`, { code: 'header_value_text', name })
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      return jsonProblem(
        `the value of "${name}" holds a line break or a character that no header takes`,
        { code: 'header_value_wrong', name },
      )
    }
    if (name.startsWith('re:') && !isPattern(name.slice(3))) {
      return jsonProblem(`"${name}" isn’t a valid pattern`, { code: 'pattern_wrong', name })
    }
  }
  return null
})

function isPattern(source: string): boolean {
  try {
    return source.length <= 200 && new RegExp(source, 'i') instanceof RegExp
  } catch {
    return false
  }
}

/** Wishes that the relay does not fulfil yet: refused, rather than kept and ignored. */
const unsupportedSettings = [
  'force_format',
  'thinking_to_content',
  'pass_through_body_enabled',
  'system_prompt',
  'system_prompt_override',
]

const setting = checkedJsonObject((value) => {
  const wished = unsupportedSettings.find((name) => Boolean(value[name]))
  return wished
    ? jsonProblem(`asks for "${wished}", which this version cannot do`, {
        code: 'setting_unsupported',
        name: wished,
      })
    : wrongProxy(value.proxy)
})

const limits = ['connect_seconds', 'first_byte_seconds', 'idle_seconds', 'total_seconds'] as const
const LONGEST_LIMIT = 7 * 24 * 60 * 60

/** The first time limit that is none, or undefined. */
const wrongLimit = (value: Record<string, unknown>): string | undefined =>
  limits.find((name) => {
    const limit = value[name]
    if (limit === undefined) return false
    return typeof limit !== 'number' || !(limit >= 0 && limit <= LONGEST_LIMIT)
  })

const flags = ['explicit_caching', 'strip_billing_header'] as const

const settings = checkedJsonObject((value) => {
  const { endpoint_types: types, upstream_stream: streams, model_rules: rules } = value
  const known: readonly unknown[] = ENDPOINT_TYPES
  const areTypesRight =
    types === undefined || (Array.isArray(types) && types.every((type) => known.includes(type)))
  if (!areTypesRight) {
    const types = ENDPOINT_TYPES.join(', ')
    return jsonProblem(`endpoint_types must be a list of: ${types}`, {
      code: 'endpoint_types_list',
      types,
    })
  }
  if (streams !== undefined && streams !== 'always' && streams !== 'never') {
    return jsonProblem('upstream_stream must be "always" or "never"', {
      code: 'part_one_of',
      name: 'upstream_stream',
      values: '"always", "never"',
    })
  }
  const wrongFlag = flags.find((name) => !['undefined', 'boolean'].includes(typeof value[name]))
  if (wrongFlag) {
    return jsonProblem(`${wrongFlag} must be true or false`, {
      code: 'part_one_of',
      name: wrongFlag,
      values: 'true, false',
    })
  }
  const limit = wrongLimit(value)
  if (limit) {
    return {
      message: `${limit} must be a number of seconds from 0 (none) to ${LONGEST_LIMIT}`,
      reason: { code: 'field_seconds', part: limit, most: LONGEST_LIMIT },
    }
  }
  return rules === undefined ? null : wrongModelRules(rules)
})

const type = z.int().superRefine((number, context) => {
  if (adaptorOf(number)) return
  const known = channelTypes.map((one) => `${one.type} ${one.name}`).join(', ')
  context.addIssue({
    code: 'custom',
    message: `is ${number}, which isn’t a supported channel type. Supported: ${known}`,
    params: { reason: { code: 'channel_type_unsupported', type: number } satisfies Reason },
  })
})

const preset = z
  .string()
  .nullable()
  .transform((id) => id || null)
  .refine((id) => id === null || presets.some((one) => one.id === id), fieldProblems.field_preset)

const weight = integer.refine(
  (number) => number >= 0 && number <= 1_000_000,
  fieldProblems.field_weight,
)
const priority = integer.refine(
  (number) => Math.abs(number) <= 1_000_000_000,
  fieldProblems.field_priority,
)

const nullableLine = (longest: number) =>
  line(longest)
    .nullable()
    .transform((text) => text || null)

const readOnly = z.unknown().optional()

/**
 * The fields of a channel that may be written, and after them those that are only read: these are taken
 * without effect, because clients send a record back as they read it.
 */
export const channelFields = {
  type: type.optional(),
  name: line(200).min(1, fieldProblems.field_empty).optional(),
  key: key.optional(),
  base_url: z.string().max(2000).nullable().optional(),
  other: line(2000).nullable().optional(),
  models: list(255).optional(),
  group: list(64).optional(),
  weight: weight.nullable().optional(),
  priority: priority.nullable().optional(),
  tag: nullableLine(255).optional(),
  model_mapping: modelMapping.optional(),
  status_code_mapping: statusCodeMapping.optional(),
  param_override: paramOverride.optional(),
  header_override: headerOverride.optional(),
  setting: setting.optional(),
  settings: settings.optional(),
  test_model: nullableLine(255).optional(),
  openai_organization: nullableLine(255).optional(),
  auto_ban: z
    .union([z.literal([0, 1]), flag.transform((on): 0 | 1 => (on ? 1 : 0))])
    .nullable()
    .optional(),
  remark: nullableLine(255).optional(),
  preset: preset.optional(),
  status: z.literal([1, 2, 3], fieldProblems.field_status).optional(),
  key_preview: readOnly,
  key_count: readOnly,
  key_unreadable: readOnly,
  key_locked: readOnly,
  created_time: readOnly,
  test_time: readOnly,
  response_time: readOnly,
  last_test: readOnly,
  balance: readOnly,
  balance_updated_time: readOnly,
  used_quota: readOnly,
  other_info: readOnly,
  channel_info: readOnly,
  endpoint_types: readOnly,
}

export type ChannelInput = z.output<z.ZodObject<typeof channelFields>>
