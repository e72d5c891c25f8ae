import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createChannels } from '../../../../main/store/records/channels.ts'
import { records } from './records.ts'

const open = ({ state, box }: ReturnType<typeof records>) => createChannels(state, box)

test('a channel gets its defaults, keeps its fields over a start and never shows its key in the file', () => {
  const first = records()
  const channel = open(first).create({ type: 1, name: 'One', key: 'sk-a\nsk-b', tag: undefined })
  expect(channel).toMatchObject({ id: 1, status: 1, groups: ['default'], tag: null, autoBan: 1 })
  const again = open(records(first.folder, first.key)).byId(1)
  expect(again).toEqual(channel)
  expect(again?.key).toBe('sk-a\nsk-b')
  const text = readFileSync(join(first.folder, 'state.json'), 'utf8')
  expect(text).not.toContain('sk-a')
  expect(text).not.toContain('keyUnreadable')
})

test('a key that cannot be opened is empty and marked, and survives changes of other fields', () => {
  const first = records()
  open(first).create({ type: 1, name: 'One', key: 'sk-a' })

  const lost = open(records(first.folder))
  expect(lost.byId(1)).toMatchObject({ key: '', keyUnreadable: true })
  expect(lost.update(1, { name: 'Two' })).toMatchObject({ name: 'Two', keyUnreadable: true })
  expect(lost.update(1, { ...lost.byId(1), weight: 3 })).toMatchObject({ keyUnreadable: true })

  const found = open(records(first.folder, first.key))
  expect(found.byId(1)).toMatchObject({ key: 'sk-a', keyUnreadable: false, name: 'Two', weight: 3 })

  const other = open(records(first.folder))
  expect(other.update(1, { key: 'sk-new' })).toMatchObject({ key: 'sk-new', keyUnreadable: false })
})

test('a proxy that cannot be opened is there still, sealed, so that no call goes without it', () => {
  const first = records()
  const proxy = 'http://name:word@proxy.test:8080'
  open(first).create({ type: 1, name: 'One', key: 'sk-a', setting: { proxy } })
  expect(open(records(first.folder)).byId(1)?.setting.proxy).toMatch(/^v\d/)
  expect(open(records(first.folder, first.key)).byId(1)?.setting.proxy).toBe(proxy)
})

test('a proxy and headers that cannot be opened survive being saved as they are', () => {
  const first = records()
  const secrets = {
    setting: { proxy: 'http://name:word@proxy.test:8080' },
    headerOverride: { authorization: 'Bearer word' },
  }
  open(first).create({ type: 1, name: 'One', key: 'sk-a', ...secrets })
  const lost = open(records(first.folder))
  lost.update(1, { ...lost.byId(1), name: 'Two' })
  const found = open(records(first.folder, first.key))
  expect(found.byId(1)).toMatchObject({ name: 'Two', ...secrets })
})

test('only enabled channels serve, by group and model, and a change is seen at once', () => {
  const channels = open(records())
  const [one, two] = channels.createMany([
    { type: 1, name: 'One', models: ['b', 'a', 'a'], groups: ['default', 'vip'] },
    { type: 1, name: 'Two', models: ['a', 'c'] },
    { type: 1, name: 'Off', models: ['a', 'z'], status: 2 },
  ])
  const serving = (group: string, model: string) =>
    channels.serving(group, model).map(({ id }) => id)
  expect(serving('default', 'a')).toEqual([one?.id, two?.id])
  expect(serving('vip', 'a')).toEqual([one?.id])
  expect(serving('default', 'z')).toEqual([])
  expect(serving('none', 'a')).toEqual([])
  expect(channels.models('default')).toEqual(['a', 'b', 'c'])
  expect(channels.serving('default', 'a')).toBe(channels.serving('default', 'a'))

  channels.update(1, { status: 3 })
  expect(serving('default', 'a')).toEqual([2])
  expect(channels.models('vip')).toEqual([])
  expect(channels.remove([2, 77])).toBe(1)
  expect(serving('default', 'a')).toEqual([])
  expect(channels.create({ type: 1, name: 'New' }).id).toBe(4)
})

test('an unknown channel is not found, and a channel cannot be changed past update', () => {
  const channels = open(records())
  expect(() => channels.update(5, { name: 'x' })).toThrow('There is no channel 5.')
  const channel = channels.create({ type: 1, name: 'One', models: ['a'] })
  expect(() => channel.models.push('b')).toThrow(TypeError)
})
