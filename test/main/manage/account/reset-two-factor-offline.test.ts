import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resetTwoFactorOffline } from '../../../../main/manage/account/reset-two-factor-offline.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { startManagement } from '../management.ts'

test('a user who was deleted cannot be reset from the command line', async () => {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-reset-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const dataFolder = join(root, 'data')
  const { gateway } = await startManagement({ dataFolder })
  const { users } = gateway.parts
  users.remove(users.create({ username: 'bob', role: 1 }).id)
  await gateway.close()
  await expect(resetTwoFactorOffline(dataFolder, 'bob', openConfFile)).rejects.toThrow(
    `There is no user "bob" in ${dataFolder}.`,
  )
})
