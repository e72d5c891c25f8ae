import { z } from 'zod'
import type { Why } from '../../base/reason.ts'
import { storedSettingsSchema } from './settings-schema.ts'

const id = z.number().int().min(1)
const time = z.number().int()
const quota = z.number().int()
const texts = z.array(z.string())
const textMap = z.record(z.string(), z.string())
const anyMap = z.record(z.string(), z.unknown())

const twoFactor = z.object({
  /** Base32, sealed. */
  secret: z.string(),
  isEnabled: z.boolean(),
  /** Wrong codes since the last right one. */
  failedAttempts: z.number().int(),
  /** Unix seconds; 0 = open. */
  lockedUntil: time,
  /** The 30-second step of the last code that was taken: no code counts twice. */
  lastStep: z.number().int(),
  backupCodes: z.array(z.object({ hash: z.string(), usedAt: time.nullable() })),
  createdAt: time,
})

const user = z.object({
  id,
  username: z.string(),
  displayName: z.string(),
  passwordHash: z.string().nullable(),
  role: z.literal([1, 10, 100]),
  status: z.literal([1, 2]),
  email: z.string(),
  group: z.string(),
  quota,
  /** Sealed. */
  accessToken: z.string().nullable(),
  language: z.string(),
  setting: z.string(),
  createdTime: time,
  /** An administrator's note. */
  remark: z.string().default(''),
  stripeCustomer: z.string().default(''),
  twoFactor: twoFactor.nullable().default(null),
  /** Devices that were known under another number are known no more. */
  deviceEpoch: z.number().int().optional(),
  /** A deleted user's name stays reserved. */
  deletedAt: time.nullable().default(null),
})

/** The same sentence for a console in another language. */
const why = z.unknown() as unknown as z.ZodType<Why>

/** State of one of several keys: usable or not, and why. */
const keyState = z.object({
  status: z.literal([1, 2, 3]),
  reason: z.string(),
  why: why.optional(),
  time,
})

/** `problem`: why a test did not pass; null where it did. */
const testResult = z.object({
  model: z.string(),
  problem: z.string().nullable(),
  why: why.optional(),
})

const channel = z.object({
  id,
  type: z.number().int(),
  name: z.string(),
  /** Sealed; '' = no key. */
  key: z.string(),
  status: z.literal([1, 2, 3]),
  baseUrl: z.string(),
  other: z.string(),
  models: texts,
  groups: texts,
  weight: z.number().int().min(0),
  priority: z.number().int(),
  tag: z.string().nullable(),
  modelMapping: textMap,
  paramOverride: anyMap,
  headerOverride: textMap,
  statusCodeMapping: textMap,
  testModel: z.string().nullable(),
  openaiOrganization: z.string().nullable(),
  autoBan: z.literal([0, 1]),
  remark: z.string().nullable(),
  setting: anyMap,
  settings: anyMap,
  otherInfo: z.string(),
  preset: z.string().nullable(),
  createdTime: time,
  testTime: time,
  responseTime: z.number(),
  /** Result of the last test; null for one whose result was not kept. */
  lastTest: testResult.nullable().default(null),
  balance: z.number(),
  balanceUpdatedTime: time,
  /** How a key is drawn from several; null = the channel has one. */
  multiKeyMode: z.literal(['random', 'polling']).nullable().default(null),
  /** One for each line of `key`; missing ones are enabled. */
  keyStates: z.array(keyState).default([]),
  /** Connections are made to public addresses only, as who named the address may ask no others. */
  publicOnly: z.boolean().default(false),
})

const token = z.object({
  id,
  userId: id,
  /** Sealed; '' once the token is deleted. */
  key: z.string(),
  status: z.literal([1, 2]),
  name: z.string(),
  createdTime: time,
  expiredTime: time,
  grantedQuota: quota,
  unlimitedQuota: z.boolean(),
  modelLimitsEnabled: z.boolean(),
  modelLimits: texts,
  modelAliases: z.record(z.string(), z.string()).default({}),
  allowIps: texts,
  group: z.string(),
  deletedAt: time.nullable(),
  /** In the group `auto`: go on to the next group when one fails. */
  crossGroupRetry: z.boolean().default(false),
  /** Units that may be used in a day and in a month of this machine's calendar; null = any. */
  dayBudget: quota.nullable().default(null),
  monthBudget: quota.nullable().default(null),
  /** Per cent of a budget from which on a warning is shown. */
  budgetWarning: z.number().int().min(1).max(100).default(80),
  /** Requests and model tokens that may be used in any 60 seconds; null = any. */
  requestsPerMinute: quota.nullable().default(null),
  tokensPerMinute: quota.nullable().default(null),
})

const target = z.object({
  model: z.string(),
  channelId: id.nullable().default(null),
  tag: z.string().nullable().default(null),
  weight: z.number().int().min(0).default(0),
})

const conditions = z
  .object({
    minInputTokens: z.number().int().min(0).optional(),
    maxInputTokens: z.number().int().min(0).optional(),
    images: z.boolean().optional(),
    tools: z.boolean().optional(),
    webSearch: z.boolean().optional(),
    reasoning: z.boolean().optional(),
    background: z.boolean().optional(),
    clients: texts.optional(),
    tokenIds: z.array(id).optional(),
  })
  .loose()

const route = z.object({
  id,
  name: z.string(),
  status: z.literal([1, 2]),
  targets: z.array(target),
  rules: z.array(z.object({ name: z.string(), when: conditions, targets: z.array(target) })),
  createdTime: time,
})

const session = z.object({
  /** SHA-256 of the id in the cookie, as hex. */
  idHash: z.string(),
  userId: z.number().int().min(0),
  data: anyMap,
  expiresAt: time,
})

/** A record of each list. Unknown fields are kept, see `stateSchema`. */
export const recordSchemas = {
  users: user.loose(),
  channels: channel.loose(),
  tokens: token.loose(),
  routes: route.loose(),
  sessions: session.loose(),
}

export type StoredTwoFactor = z.infer<typeof twoFactor>
export type TestResult = z.infer<typeof testResult>
export type KeyState = z.infer<typeof keyState>
export type StoredUser = z.infer<typeof user>
export type StoredChannel = z.infer<typeof channel>
export type StoredToken = z.infer<typeof token>
export type StoredRoute = z.infer<typeof route>
export type StoredSession = z.infer<typeof session>

/** Schema of the state file. Version `N` is what migration `N - 1` makes. */
export interface StateData {
  version: number
  /** null until the first run was completed. */
  setup: { version: string; initializedAt: number } | null
  settings: Record<string, unknown>
  users: StoredUser[]
  channels: StoredChannel[]
  tokens: StoredToken[]
  routes: StoredRoute[]
  sessions: StoredSession[]
  /** The id that the next record gets; ids are never used twice. */
  nextId: { user: number; channel: number; token: number; route: number }
}

/** Where an id stands a second time: of two records with the same one, one is unreachable. */
export function repeatedId(
  list: readonly { id: number }[],
): { path: [number, 'id']; message: string } | undefined {
  const seen = new Set<number>()
  for (const [index, { id }] of list.entries()) {
    if (seen.has(id)) return { path: [index, 'id'], message: `${id} is used twice` }
    seen.add(id)
  }
  return undefined
}

const records = <Stored extends { id: number }>(record: z.ZodType<Stored>) =>
  z.array(record).superRefine((list, context) => {
    const repeated = repeatedId(list)
    if (repeated) context.addIssue({ code: 'custom', ...repeated })
  })

/**
 * Fields that are not known here are kept everywhere: they are a newer version's, or someone's note,
 * and a file that was only read and written must not lose them.
 */
export const stateSchema = z.looseObject({
  version: z.number().int().min(1),
  setup: z.looseObject({ version: z.string(), initializedAt: time }).nullable().default(null),
  settings: storedSettingsSchema.partial().loose().default({}),
  users: records(recordSchemas.users).default([]),
  channels: records(recordSchemas.channels).default([]),
  tokens: records(recordSchemas.tokens).default([]),
  routes: records(recordSchemas.routes).default([]),
  sessions: z.array(recordSchemas.sessions).default([]),
  nextId: z
    .object({ user: id, channel: id, token: id, route: id.default(1) })
    .default({ user: 1, channel: 1, token: 1, route: 1 }),
})
