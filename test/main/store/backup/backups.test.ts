import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listBackups } from '../../../../main/store/backup/backups.ts'
import { tempFolder } from '../folder/temp-folder.ts'

test.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
  'a backup is as old as its name says, which is in UTC, on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = tempFolder()
    mkdirSync(join(folder, 'backups'))
    writeFileSync(join(folder, 'backups', 'switchyard-20260601-123456-scheduled.tar.gz'), '')
    const [backup] = listBackups(folder)
    expect(backup?.createdAt).toBe(Date.UTC(2026, 5, 1, 12, 34, 56) / 1000)
  },
)
