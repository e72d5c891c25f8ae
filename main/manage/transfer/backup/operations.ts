import { join } from 'node:path'
import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { BACKUPS, type Backup, listBackups } from '../../../store/backup/backups.ts'
import { defineOperation } from '../../operation/operation.ts'
import { backUp } from './schedule-backups.ts'

const backupRecord = z.strictObject({
  name: z.string(),
  path: z.string(),
  size: z.int().describe('Bytes.'),
  created_at: z.int().describe('Unix seconds.'),
  scheduled: z.boolean(),
})

const toRecord = ({ name, path, size, createdAt, isScheduled }: Backup) => ({
  name,
  path,
  size,
  created_at: createdAt,
  scheduled: isScheduled,
})

/** As a shell of this system takes it. */
const quoted = (path: string): string => {
  if (process.platform === 'win32') return `"${path}"`
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Names the data folder: without it the command would fill the usual one. */
const restoreCommand = (dataFolder: string, newest: Backup | undefined): string =>
  `npm run gateway -- --data-dir ${quoted(dataFolder)} --restore ${newest ? quoted(newest.path) : 'FILE'}`

const create = defineOperation({
  name: 'backup.create',
  summary: 'Copies the whole data folder into one file, while everything runs.',
  access: 'root',
  proof: 'session',
  limit: 'critical',
  http: { method: 'POST', path: '/api/backup' },
  input: z.strictObject({}),
  output: backupRecord,
  async run(_input, { parts }) {
    try {
      return toRecord(await backUp(parts, false))
    } catch (cause) {
      throw new GatewayError('storage_failed', {
        message: `No backup was made: ${(cause as Error).message}. Make room on the disk or make the data folder writable, then try again.`,
        cause,
        reason: { code: 'backup_failed', problem: (cause as Error).message },
      })
    }
  },
})

const list = defineOperation({
  name: 'backup.list',
  summary: 'Lists the backups in the data folder, newest first.',
  access: 'root',
  http: { method: 'GET', path: '/api/backup' },
  input: z.object({}),
  output: z.strictObject({
    folder: z.string(),
    key: z
      .enum(['file', 'keychain', 'environment'])
      .describe(
        '`file`: a backup holds the key of its secrets; `keychain`: wrapped, so that only this machine and account can open it; `environment`: it lies in SWITCHYARD_SECRET_KEY and in no backup.',
      ),
    restore: z
      .string()
      .describe('The command that restores the newest; `FILE` stands for it while there is none.'),
    backups: z.array(backupRecord),
  }),
  run(_input, { parts: { dataFolder, secretKey } }) {
    const backups = listBackups(dataFolder)
    return {
      folder: join(dataFolder, BACKUPS),
      key: secretKey.protection ?? ('keychain' as const),
      restore: restoreCommand(dataFolder, backups[0]),
      backups: backups.map(toRecord),
    }
  },
})

export const backupOperations = [create, list] as const
