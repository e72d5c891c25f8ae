import { expect, test } from 'vitest'
import { CaptureArena } from '../../../main/capture/capture-arena.ts'

const MEBIBYTE = 1024 * 1024

test('when all captures were deleted, as many find room as before', () => {
  const arena = new CaptureArena()
  const add = (id: string) => arena.add(id, [Buffer.alloc(MEBIBYTE, id)], 2 * MEBIBYTE)
  add('deleted')
  arena.clear()
  expect(arena.ids()).toEqual([])
  for (const id of ['first', 'second']) add(id)
  expect(arena.ids()).toEqual(['second', 'first'])
  add('third')
  expect(arena.ids()).toEqual(['third', 'second'])
})
