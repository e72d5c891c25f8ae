import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CaptureFile } from '../../../../main/store/captures/capture-file.ts'
import { createSecretBox } from '../../../../main/store/secret-key/secret-box.ts'
import { tempFolder } from '../folder/temp-folder.ts'

test('count and bytes are those of the file after writes, replaced captures and pruning', () => {
  const folder = tempFolder()
  const path = join(folder, 'captures.db')
  const box = createSecretBox({ current: randomBytes(32) })
  const open = () =>
    new CaptureFile(path, box, (error) => {
      throw error
    })
  let file = open()
  const capture = (id: number, size: number) => ({
    ...{ id: `call ${id}`, receivedAt: id, userId: 1, bytes: Buffer.alloc(size) },
  })
  const expectCounted = (count: number) => {
    const size = file.size()
    expect(size.count).toBe(count)
    file.close()
    file = open()
    expect(file.size()).toEqual(size)
  }
  file.write([capture(1, 1000), capture(2, 2000), capture(3, 3000)])
  file.writeFilter(1, 3, [Buffer.alloc(4096), Buffer.alloc(4096)])
  expectCounted(3)
  // The same call twice in a batch, and once more.
  file.write([capture(2, 500), capture(4, 100), capture(4, 4000)])
  expectCounted(4)
  expect(file.nextNumber).toBe(7)
  expect(() => file.write([capture(5, 10), { ...capture(6, 10), userId: Number.NaN }])).toThrow()
  expectCounted(4)
  file.prune(2, 1e9)
  expectCounted(3)
  file.prune(0, file.size().bytes - 1)
  expectCounted(2)
  expect(file.has(['call 1', 'call 2', 'call 3', 'call 4'])).toEqual(['call 2', 'call 4'])
  expect(file.filters.blocks).toEqual([])
  file.prune(0, 0)
  expect(file.size()).toEqual({ count: 0, bytes: 0 })
  file.close()
  rmSync(folder, { recursive: true })
})
