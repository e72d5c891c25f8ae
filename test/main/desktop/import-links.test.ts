import { expect, test, vi } from 'vitest'
import { ImportLinks } from '../../../main/desktop/link/import-links.ts'

test('a link that may hold a key can be read for a quarter of an hour, and only while it is the last', () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(0)
  const links = new ImportLinks()
  const first = Number(links.keep('switchyard://a').split('=')[1])
  now.mockReturnValue(15 * 60_000 - 1)
  expect(links.read(first)).toBe('switchyard://a')
  now.mockReturnValue(15 * 60_000)
  expect(links.read(first)).toBeNull()
  const second = Number(links.keep('switchyard://b').split('=')[1])
  expect([links.read(first), links.read(second)]).toEqual([null, 'switchyard://b'])
})
