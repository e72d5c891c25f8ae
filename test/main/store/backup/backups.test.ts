import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listBackups } from '../../../../main/store/backup/backups.ts'
import { tempFolder } from '../folder/temp-folder.ts'

/** A data folder with these backups, made at 12:34:56 of 1 June 2026. */
function folderWith(...ends: string[]): string {
  const folder = tempFolder()
  mkdirSync(join(folder, 'backups'))
  for (const end of ends)
    writeFileSync(join(folder, 'backups', `switchyard-20260601-123456${end}.tar.gz`), '')
  return folder
}

test.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
  'a backup is as old as its name says, which is in UTC, on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const [backup] = listBackups(folderWith('-scheduled'))
    expect(backup?.createdAt).toBe(Date.UTC(2026, 5, 1, 12, 34, 56) / 1000)
  },
)

test('of the backups of one second the last one made is the newest', () => {
  const names = listBackups(folderWith('-2', '-10-scheduled', '', '-3')).map(({ name }) => name)
  expect(names.map((name) => name.slice(26, -7))).toEqual(['-10-scheduled', '-3', '-2', ''])
})
