import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureOf } from './capture-of.ts'
import { DiskCaptures } from './disk-captures.ts'

let captures: DiskCaptures
beforeEach(() => {
  captures = new DiskCaptures()
})
afterEach(() => {
  captures.disk.close()
  rmSync(captures.folder, { recursive: true, force: true })
})

const LONG = 'a text that takes a while to pack '.repeat(20_000)
const none = new Set<string>()

/** Hands over captures, and waits until some of them are being packed. */
async function packing(count: number): Promise<void> {
  let packed = 0
  for (let index = 0; index < count; index++) {
    const capture = captureOf(`call ${index}`, LONG, 'answer', LONG.length)
    const told = () => {
      packed++
      return capture
    }
    captures.disk.write(capture.id, told, 1)
  }
  await expect.poll(() => packed, { interval: 1 }).toBeGreaterThan(1)
  expect(packed).toBeLessThan(count)
}

test('deleting all captures deletes those that are on their way to the disk', async () => {
  await packing(20)
  expect(captures.disk.clear(none)).toBe(20)
  await sleep(500)
  expect(captures.disk.size().count).toBe(0)
  expect(existsSync(captures.path)).toBe(false)
})

test('captures that come after all were deleted are kept, and found by their text', async () => {
  await packing(20)
  captures.disk.clear(none)
  await captures.write([captureOf('later', 'something else', 'answer')])
  expect(captures.disk.size().count).toBe(1)
  expect(await captures.search('something else')).toEqual(['later'])
  expect(captures.disk.clear(none)).toBe(1)
})
