import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'
import { AUTO } from '../../relay/channel/groups.ts'
import { defaultSettings } from '../../store/state/default-settings.ts'
import { isSecretSetting, type Settings } from '../../store/state/settings.ts'
import { settingExamples } from '../../store/state/settings-examples.ts'
import { settingsSchema } from '../../store/state/settings-schema.ts'
import { checkNewCertificates, WrongCertificates } from '../../upstream/tls/read-certificates.ts'
import { removeOldCalls } from '../calls/old-calls.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { checkProof, checkVerified } from '../operation/access.ts'
import { defineOperation } from '../operation/operation.ts'
import { readInput } from '../operation/read-input.ts'
import { autoTaken } from '../prices/groups.ts'
import { fixedOptions } from './fixed-options.ts'

/** Throws `invalid_params` for authorities that cannot be read, or could never help. */
function checkTrustOption({ ExtraCaCertificates: typed }: Partial<Settings>): void {
  if (typed === undefined) return
  try {
    checkNewCertificates(typed)
  } catch (error) {
    if (!(error instanceof WrongCertificates)) throw error
    throw new GatewayError('invalid_params', {
      message: error.message,
      field: 'ExtraCaCertificates',
      cause: error,
      reason: error.reason,
    })
  }
}

const refuse = (field: string, message: string, reason: Reason | undefined): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** The groups that the value of an option names; undefined where it is none that does. */
function groupsIn(fields: Partial<Settings>): string[] | undefined {
  const { AutoGroups, UserUsableGroups, GroupGroupRatio } = fields
  if (AutoGroups) return AutoGroups
  // The description of `auto` is stored with the groups'.
  if (UserUsableGroups) return Object.keys(UserUsableGroups).filter((group) => group !== AUTO)
  if (!GroupGroupRatio) return undefined
  return Object.entries(GroupGroupRatio).flatMap(([group, used]) => [group, ...Object.keys(used)])
}

/**
 * Throws `invalid_params` for an option that names a group which `GroupRatio` does not define, and for a
 * `GroupRatio` without the group `default`, which users have who were given no other.
 */
function checkGroupOption(fields: Partial<Settings>, { GroupRatio }: Settings): void {
  const [key = ''] = Object.keys(fields)
  if (fields.GroupRatio && !Object.hasOwn(fields.GroupRatio, 'default')) {
    throw refuse(key, 'The option GroupRatio must keep the group "default".', {
      code: 'group_default_kept',
    })
  }
  if (fields.GroupRatio && Object.hasOwn(fields.GroupRatio, AUTO)) throw autoTaken(key)
  const unknown = groupsIn(fields)?.find((group) => !Object.hasOwn(GroupRatio, group))
  if (unknown === undefined) return
  throw refuse(key, `The option ${key} names the group "${unknown}". Add it to GroupRatio first.`, {
    code: 'option_unknown_group',
    group: unknown,
  })
}

/** An option as its list shows it (management-api §8). */
const optionRecord = z
  .strictObject({
    key: z.string(),
    value: z
      .string()
      .describe('Text as it is, all else as JSON. Empty for a secret, which is never shown.'),
    has_value: z.boolean().optional().describe('Of a secret: whether there is one.'),
    default: z.string().optional().describe('The value that null gives it; not said of secrets.'),
    fixed: z.string().optional().describe('Why it cannot be changed here, where it cannot.'),
  })
  .meta({ id: 'Option' })

type OptionRecord = z.infer<typeof optionRecord>
type Name = keyof Settings

const names = Object.keys(settingsSchema.shape) as Name[]

const isName = (key: string): key is Name => Object.hasOwn(settingsSchema.shape, key)

const toText = (value: Settings[Name]): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function toRecord(key: Name, value: Settings[Name]): OptionRecord {
  if (isSecretSetting(key)) return { key, value: '', has_value: value !== '' }
  return { key, value: toText(value), default: toText(defaultSettings[key]) }
}

const list = defineOperation({
  name: 'option.list',
  summary:
    'Lists all options with their values as text; of a secret it says only whether it is set.',
  access: 'root',
  http: { method: 'GET', path: '/api/option' },
  input: z.object({}),
  output: z.array(optionRecord),
  run: (_input, { parts }): OptionRecord[] => [
    ...names.map((key) => toRecord(key, parts.settings.current[key])),
    ...Object.entries(fixedOptions).map(([key, { value, reason }]) => ({
      key,
      value,
      fixed: reason,
    })),
  ],
})

function exampleOf(key: Name): string {
  const examples: Readonly<Record<string, string | undefined>> = settingExamples
  return examples[key] ?? toText(defaultSettings[key])
}

/** ` It should look like …`, where that is not plain from what is wrong. */
const likeThat = (key: Name): string =>
  typeof defaultSettings[key] === 'string' ? '' : ` It should look like ${exampleOf(key)}`

/** Values come as text, as they are read; texts stay texts, all else is JSON of the option's type. */
function parseValue(key: Name, value: string | number | boolean): unknown {
  if (typeof defaultSettings[key] === 'string') return String(value)
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw refuse(key, `The option ${key} cannot be read.${likeThat(key)}`, {
      code: 'field_wrong',
      problem: `cannot be read.${likeThat(key)}`,
      why: { code: 'looks_like', example: exampleOf(key) },
    })
  }
}

function checkValue(key: Name, value: unknown): Partial<Settings> {
  try {
    return readInput(z.object({ [key]: settingsSchema.shape[key] }), { [key]: value })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw refuse(
      error.field ?? key,
      `${error.message.replace(/^The field/, 'The option')}${likeThat(key)}`,
      error.reason?.code === 'field_wrong'
        ? {
            code: 'field_wrong',
            problem: [error.reason.problem, likeThat(key)].filter(Boolean).join('.'),
            why: { code: 'looks_like', example: exampleOf(key) },
          }
        : error.reason,
    )
  }
}

function change(
  key: Name,
  value: string | number | boolean | null,
  { settings }: GatewayParts,
): void {
  if (value === null) settings.reset(key)
  // A form sends back what it was shown, and of a secret that is nothing.
  else if (!isSecretSetting(key) || value !== '') {
    const fields = checkValue(key, parseValue(key, value))
    checkGroupOption(fields, settings.current)
    checkTrustOption(fields)
    settings.update(fields)
  }
}

/**
 * Options that decide who can sign in and from where, and which program the owner is told to install: an access token
 * cannot change them.
 */
const ofSessions: ReadonlySet<Name> = new Set([
  'AllowedHosts',
  'AllowedOrigins',
  'TrustedProxies',
  'PasswordLoginEnabled',
  'RegisterEnabled',
  'DesktopUpdateFeed',
])

const update = defineOperation({
  name: 'option.update',
  summary:
    'Changes one option, at once and everywhere; null gives it its default again, and an empty secret keeps the old one.',
  access: 'root',
  http: { method: 'PUT', path: '/api/option' },
  legacyStatus: { invalid_json: 400 },
  input: z.strictObject({
    key: z.string().min(1, fieldProblems.field_missing).max(100),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.null()], fieldProblems.field_option_value)
      .describe('Text; lists and objects are JSON in a text.'),
  }),
  output: z.undefined(),
  run({ key, value }, context): undefined {
    const { parts } = context
    const fixed = Object.hasOwn(fixedOptions, key) ? fixedOptions[key] : undefined
    if (fixed) {
      if (value === null || String(value) === fixed.value) return
      throw refuse(key, `The option ${key} is always ${fixed.value} here. ${fixed.reason}`, {
        code: 'option_fixed',
        option: key,
        value: fixed.value,
      })
    }
    if (!isName(key))
      throw refuse('key', `There is no option "${key}".`, { code: 'no_option', option: key })
    if (ofSessions.has(key)) checkProof('session', context)
    // A trusted authority can read every key on its way to a vendor.
    if (key === 'ExtraCaCertificates') checkVerified(context)
    change(key, value, parts)
    parts.log.info({ option: key }, 'an option was changed')
    if (key === 'LogDays') removeOldCalls(parts)
  },
})

export const optionOperations = [list, update] as const
