import { expect, onTestFinished, test } from 'vitest'
import { reportStorage } from '../../../../main/manage/diagnostics/report-storage.ts'
import { startManagement } from '../management.ts'
import { fillingDisk } from './filling-disk.ts'

test('settings that could not be saved are no problem any more once there is room, without another change', async () => {
  const disk = fillingDisk()
  const { owner, gateway } = await startManagement({ openStateFile: disk.openStateFile })
  onTestFinished(reportStorage(gateway.parts, 5))
  const status = async () => (await owner.get('/api/diagnostics/health')).body.data.status
  disk.isFull = true
  await owner.send('PUT', '/api/option/', { key: 'SystemName', value: 'Full' })
  expect(await status()).toBe('failing')
  disk.isFull = false
  await expect.poll(status, { timeout: 30_000 }).toBe('ok')
  expect((await owner.get('/api/status')).body.data.system_name).not.toBe('Full')
})
