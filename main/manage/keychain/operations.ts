import { z } from 'zod'
import type { Sentence } from '../../base/reason.ts'
import { secretSettings } from '../../store/state/settings-schema.ts'
import type { State } from '../../store/state/state.ts'
import { eventRow } from '../calls/event-row.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** How much is sealed under the data key. It is lost when that key is forgotten. */
interface SealedCounts {
  channels: number
  tokens: number
  access_tokens: number
  second_factors: number
  preferences: number
  payment_secrets: number
}

const count = (values: readonly unknown[]): number => values.filter(Boolean).length

function countSealed({ data }: Pick<State, 'data'>): SealedCounts {
  const users = data.users.filter(({ deletedAt }) => deletedAt === null)
  const tokens = data.tokens.filter(({ deletedAt }) => deletedAt === null)
  return {
    channels: count(
      data.channels.map(
        ({ key, setting, headerOverride }) =>
          key !== '' || setting.proxy || Object.keys(headerOverride).length > 0,
      ),
    ),
    tokens: count(tokens.map(({ key }) => key)),
    access_tokens: count(users.map(({ accessToken }) => accessToken)),
    second_factors: count(users.map(({ twoFactor }) => twoFactor)),
    preferences: count(users.map(({ setting }) => setting)),
    payment_secrets: count(secretSettings.map((name) => data.settings[name])),
  }
}

const number = z.int()

const keychainRecord = z
  .strictObject({
    locked: z
      .boolean()
      .describe('Stored keys cannot be read now, and no new ones can be stored until they can.'),
    reason: z
      .enum(['waiting', 'unavailable', 'denied', 'foreign'])
      .nullable()
      .describe(
        '`waiting`: the keychain has not answered yet. `unavailable`: it is locked, or not the one that protected the keys. `denied`: it refuses access. `foreign`: it answers, but cannot open these keys. Null while they are open.',
      ),
    since: number.nullable().describe('Unix seconds; null while they are open.'),
    protection: z
      .enum(['environment', 'file', 'keychain'])
      .nullable()
      .describe('Where the sealing key is kept; null for everyone but the owner.'),
    keychain: z
      .string()
      .nullable()
      .describe('The keychain that is needed, if known; null for everyone but the owner.'),
    sealed: z
      .strictObject({
        channels: number.describe('With a key, a proxy or headers.'),
        tokens: number,
        access_tokens: number,
        second_factors: number,
        preferences: number.describe('Users with preferences of their own.'),
        payment_secrets: number,
      })
      .nullable()
      .describe(
        'What `forget` would lose; null while nothing is locked, and for everyone but the owner.',
      ),
  })
  .meta({ id: 'Keychain' })

function recordOf(context: OperationContext): z.output<typeof keychainRecord> {
  const { secretKey, state } = context.parts
  const { lock } = secretKey
  const isOwner = signedIn(context).role >= 100
  return {
    locked: lock !== null,
    reason: lock?.reason ?? null,
    since: lock?.since ?? null,
    protection: isOwner ? secretKey.protection : null,
    keychain: isOwner ? (lock?.by ?? null) : null,
    sealed: isOwner && lock ? countSealed(state) : null,
  }
}

const get = defineOperation({
  name: 'keychain.get',
  summary: 'Says whether stored keys can be read, and why not.',
  access: 'user',
  http: { method: 'GET', path: '/api/keychain' },
  input: z.object({}),
  output: keychainRecord,
  run: (_input, context) => recordOf(context),
})

const retry = defineOperation({
  name: 'keychain.retry',
  summary: 'Asks the keychain again for the locked stored keys; the keychain may ask the user.',
  access: 'root',
  http: { method: 'POST', path: '/api/keychain/retry' },
  limit: 'critical',
  input: z.strictObject({}),
  output: keychainRecord,
  async run(_input, context) {
    await context.parts.secretKey.tryAgain()
    return recordOf(context)
  },
})

const forget = defineOperation({
  name: 'keychain.forget',
  summary:
    'Forgets the locked stored keys and makes a new sealing key. The old key file stays in the data folder.',
  access: 'root',
  verified: true,
  http: { method: 'POST', path: '/api/keychain/forget' },
  limit: 'critical',
  input: z.strictObject({
    confirm: z.literal(true, 'must be true: channels, tokens and second factors lose their keys'),
  }),
  output: z.strictObject({
    kept: z
      .string()
      .nullable()
      .describe('Name of the old key file in the data folder; null where there was none.'),
  }),
  async run(_input, context) {
    const { parts, requestId, ip } = context
    const user = signedIn(context)
    const kept = await parts.secretKey.forget()
    const aside = kept === null ? '' : ` The old key file is kept as ${kept}.`
    const sentence: Sentence = {
      message: `${user.username} forgot the stored keys while they were locked.${aside}`,
      reason: { code: 'audit_keys_forgotten', user: user.username },
    }
    await parts.ledger.record(eventRow(3, user, sentence, { requestId, ip }))
    return { kept }
  },
})

export const keychainOperations = [get, retry, forget] as const
