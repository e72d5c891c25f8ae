import { expect, onTestFinished, test, vi } from 'vitest'
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
  // Not always 'ok': a busy machine has a warning of its own.
  await expect.poll(status, { timeout: 30_000 }).not.toBe('failing')
  expect((await owner.get('/api/status')).body.data.system_name).not.toBe('Full')
})

test('a problem with saving is told since its first failure, however often saving fails', async () => {
  const disk = fillingDisk()
  const { owner } = await startManagement({ openStateFile: disk.openStateFile })
  const failAt = async (time: number) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(time)
    await owner.send('PUT', '/api/option/', { key: 'SystemName', value: `${time}` })
    clock.mockRestore()
    const { warnings } = (await owner.get('/api/diagnostics/health')).body.data
    return warnings.find(({ code }: { code: string }) => code === 'state_failing')?.since
  }
  const first = Date.now()
  disk.isFull = true
  expect(await failAt(first)).toBe(Math.floor(first / 1000))
  expect(await failAt(first + 60_000)).toBe(Math.floor(first / 1000))
  disk.isFull = false
  await failAt(first + 120_000)
  disk.isFull = true
  expect(await failAt(first + 180_000)).toBe(Math.floor(first / 1000) + 180)
})
