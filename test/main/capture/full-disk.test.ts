import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../../main/base/log/log.ts'
import { CaptureDisk } from '../../../main/capture/capture-disk.ts'
import { Captures } from '../../../main/capture/captures.ts'
import { defaultSettings } from '../../../main/store/state/default-settings.ts'
import { smallDisk } from '../store/ledger/small-disk.ts'

const MEBIBYTE = 1024 * 1024

/** Takes all room that the disk has left. */
function fill(path: string): void {
  for (let size = MEBIBYTE; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size, 1), { flag: 'a' })
    } catch {
      // A smaller piece may still fit.
    }
  }
}

test('when memory is full a call of long ago makes room, not the one that has just ended', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const settings = { current: { ...defaultSettings, CaptureLevel: 'memory' as const } }
  const box = { sealBytes: (bytes: Buffer) => bytes, openBytes: (bytes: Buffer) => bytes }
  const disk = new CaptureDisk('/nowhere/captures.db', box, settings, createLog('silent'))
  const captures = new Captures(settings, disk)
  const begin = (id: string, size: number) => {
    const capture = captures.begin({
      ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat', model: 'm' },
      ...{ method: 'POST', url: '/', headers: [] },
    })
    capture?.sent(Buffer.alloc(size))
    return capture
  }
  begin('long ago', 4 * MEBIBYTE)?.end(false)
  vi.advanceTimersByTime(1000)
  begin('just now', 4 * MEBIBYTE)?.end(false)
  for (let calls = 0; calls < 7; calls++) begin(`under way ${calls}`, 4 * MEBIBYTE - 64 * 1024)
  expect(captures.has(['long ago', 'just now'])).toEqual(new Set(['just now']))
  captures.close()
})

test('on a full disk capturing stops, says so, and goes on once there is room', async (context) => {
  const folder = smallDisk(4 * MEBIBYTE)
  if (!folder) return context.skip('a small disk can only be made by root on Linux')
  const box = { sealBytes: (bytes: Buffer) => bytes, openBytes: (bytes: Buffer) => bytes }
  const settings = { current: { ...defaultSettings, CaptureLevel: 'all' as const } }
  const disk = new CaptureDisk(join(folder, 'captures.db'), box, settings, createLog('silent'))
  const captures = new Captures(settings, disk)
  const capture = (id: string) =>
    captures
      .begin({
        ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat', model: 'm' },
        ...{ method: 'POST', url: '/', headers: [] },
      })
      ?.end(false)
  capture('before')
  await expect.poll(() => captures.status().disk.count).toBe(1)
  const filler = join(folder, 'filler')
  fill(filler)
  for (let calls = 0; calls < 50; calls++) capture(`full ${calls}`)
  await expect.poll(() => captures.status().problem).toBe('the disk is full')
  expect(captures.find('full 49')?.source).toBe('memory')

  rmSync(filler)
  capture('after')
  await expect.poll(() => captures.status().problem).toBeNull()
  expect(captures.has(['before', 'after'])).toEqual(new Set(['before', 'after']))
  captures.close()
})
