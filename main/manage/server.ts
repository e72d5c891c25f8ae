import { z } from 'zod'
import { defineOperation } from './operation.ts'
import { signedIn } from './signed-in.ts'

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
    electron: z.string().nullable().describe('Its version; null on plain Node.'),
  })
  .meta({ id: 'Server' })

const serverGet = defineOperation({
  name: 'server.get',
  summary: 'Tells where the gateway listens and what it runs on.',
  access: 'user',
  http: { method: 'GET', path: '/api/server' },
  input: z.object({}),
  output: serverRecord,
  run(_input, context): z.infer<typeof serverRecord> {
    const { parts } = context
    const isAdmin = signedIn(context).role >= 10
    return {
      ...parts.address(),
      version: parts.version,
      node: process.versions.node,
      data_folder: isAdmin ? parts.dataFolder : '',
      started_at: parts.startedAt,
      ledger_problem: isAdmin ? parts.ledger.problem : null,
      keychain_locked: parts.secretKey.lock !== null,
      electron: parts.electron,
    }
  },
})

export const serverOperations = [serverGet] as const
