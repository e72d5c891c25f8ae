import { expect, onTestFinished, test } from 'vitest'
import { reportStorage } from '../../../../main/manage/diagnostics/report-storage.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { startManagement } from '../management.ts'

test('settings that could not be saved are no problem any more once there is room, without another change', async () => {
  let isFull = false
  const { owner, gateway } = await startManagement({
    openStateFile: (folder) => {
      const file = openConfFile(folder)
      return {
        path: file.path,
        write(data) {
          if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
          file.write(data)
        },
      }
    },
  })
  onTestFinished(reportStorage(gateway.parts, 5))
  const status = async () => (await owner.get('/api/diagnostics/health')).body.data.status
  isFull = true
  await owner.send('PUT', '/api/option/', { key: 'SystemName', value: 'Full' })
  expect(await status()).toBe('failing')
  isFull = false
  await expect.poll(status, { timeout: 30_000 }).toBe('ok')
  expect((await owner.get('/api/status')).body.data.system_name).not.toBe('Full')
})
