import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

const serverRecord = z
  .strictObject({
    host: z.string(),
    port: z.int(),
    url: z.string().describe('Without a trailing slash.'),
    version: z.string(),
    node: z.string(),
    data_folder: z.string().describe('Empty for all but administrators.'),
    started_at: z.int().describe('Unix seconds.'),
    ledger_problem: z
      .string()
      .nullable()
      .describe(
        'Why calls cannot be written down at present; null when all is well, and for all but administrators.',
      ),
    keychain_locked: z
      .boolean()
      .describe('Stored keys cannot be read until the keychain is unlocked; see /api/keychain.'),
    paused_since: z
      .int()
      .nullable()
      .describe('Unix seconds of the start of the pause; null while not paused.'),
    electron: z.string().nullable().describe('Its version; null on plain Node.'),
    shared: z
      .boolean()
      .describe(
        'Whether it serves more than its owner: not in self-use mode, or with other users.',
      ),
  })
  .meta({ id: 'Server' })

const isShared = ({ settings, users }: GatewayParts): boolean =>
  !settings.current.SelfUseModeEnabled || [...users.all()].length > 1

const serverGet = defineOperation({
  name: 'server.get',
  summary: 'Tells where the gateway listens and what it runs on.',
  access: 'user',
  http: { method: 'GET', path: '/api/server' },
  input: z.object({}),
  output: serverRecord,
  run(_input, context): z.infer<typeof serverRecord> {
    const { parts } = context
    const isAdmin = hasAdministratorRole(signedIn(context))
    return {
      ...parts.address(),
      version: parts.version,
      node: process.versions.node,
      data_folder: isAdmin ? parts.dataFolder : '',
      started_at: parts.startedAt,
      ledger_problem: isAdmin ? parts.ledger.problem : null,
      keychain_locked: parts.secretKey.lock !== null,
      paused_since: parts.settings.current.PausedSince || null,
      electron: parts.electron,
      shared: isShared(parts),
    }
  },
})

/** Pauses or resumes; what is so already stays as it is, since the moment it was. */
function setPaused(isPaused: boolean, { settings, log }: GatewayParts): void {
  if (settings.current.PausedSince > 0 === isPaused) return
  settings.update({ PausedSince: isPaused ? unixSeconds() : 0 })
  log.warn(isPaused ? 'the gateway is paused' : 'the gateway takes calls again')
}

const pause = defineOperation({
  name: 'server.pause',
  summary:
    'Refuses new model calls with 503 until resumed, even after a restart. Running calls continue.',
  access: 'root',
  http: { method: 'POST', path: '/api/server/pause' },
  input: z.strictObject({}),
  output: z.undefined(),
  run(_input, { parts }): undefined {
    setPaused(true, parts)
  },
})

const resume = defineOperation({
  name: 'server.resume',
  summary: 'Accepts model calls again after a pause.',
  access: 'root',
  http: { method: 'POST', path: '/api/server/resume' },
  input: z.strictObject({}),
  output: z.undefined(),
  run(_input, { parts }): undefined {
    setPaused(false, parts)
  },
})

export const serverOperations = [serverGet, pause, resume] as const
