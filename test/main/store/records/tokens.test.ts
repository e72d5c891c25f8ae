import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTokens } from '../../../../main/store/records/tokens.ts'
import { records } from './records.ts'

const open = ({ state, box }: ReturnType<typeof records>) => createTokens(state, box)

test('a token is drawn, found by its key over a start, and not readable in the file', () => {
  const first = records()
  const token = open(first).create({ userId: 1, name: 'laptop' })
  expect(token.key).toMatch(/^[A-Za-z0-9]{48}$/)
  expect(token).toMatchObject({ id: 1, status: 1, expiredTime: -1, unlimitedQuota: false })
  expect(open(records(first.folder, first.key)).byKey(token.key)).toEqual(token)
  expect(readFileSync(join(first.folder, 'state.json'), 'utf8')).not.toContain(token.key)
})

test('a token whose key cannot be opened lets nobody in', () => {
  const first = records()
  const { key } = open(first).create({ userId: 1 })
  const lost = open(records(first.folder))
  expect(lost.byId(1)?.key).toBe('')
  expect(lost.byKey(key)).toBeUndefined()
  expect(lost.byKey('')).toBeUndefined()
  lost.update(1, { ...lost.byId(1), name: 'renamed' })
  expect(open(records(first.folder, first.key)).byKey(key)?.name).toBe('renamed')
})

test('a removed token is gone, its key destroyed and its number never used again', () => {
  const first = records()
  const tokens = open(first)
  const { id, key } = tokens.create({ userId: 1 })
  expect(tokens.remove([id, id, 99])).toBe(1)
  expect(tokens.remove([id])).toBe(0)
  expect(tokens.byKey(key)).toBeUndefined()
  expect(tokens.byId(id)).toBeUndefined()
  expect(tokens.all()).toEqual([])
  expect(first.state.data.tokens[0]).toMatchObject({ key: '', id })
  expect(tokens.create({ userId: 1 }).id).toBe(id + 1)
  expect(() => tokens.update(id, { name: 'x' })).toThrow(`There is no token ${id}.`)
})
