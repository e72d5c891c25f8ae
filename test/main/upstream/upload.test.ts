import { expect, test } from 'vitest'
import { Upload } from '../../../main/upstream/upload.ts'

test('what is given up while its source is silent ends, and its source with it', async () => {
  let isOver = false
  async function* source() {
    try {
      yield Buffer.from('a')
      yield Buffer.from('b')
    } finally {
      isOver = true
    }
  }
  const upload = new Upload(source())
  expect((await upload.next()).value).toEqual(Buffer.from('a'))
  upload.end(new Error('Enough.'))
  await expect(upload.next()).rejects.toThrow('Enough.')
  expect(isOver).toBe(true)
})

test('an upload that nobody takes has not moved since it was last asked', async () => {
  async function* source() {
    yield Buffer.from('a')
    yield Buffer.from('b')
  }
  const upload = new Upload(source())
  expect(upload.hasMoved()).toBe(false)
  await upload.next()
  expect([upload.hasMoved(), upload.hasMoved()]).toEqual([true, false])
  await upload.next()
  expect(upload.hasMoved()).toBe(true)
})
