import { describe, expect, test } from 'vitest'
import { firstKey, KeyTurns } from '../../../../main/relay/channel/channel-keys.ts'
import type { Channel } from '../../../../main/store/records/channels.ts'

const channelOf = (fields: Partial<Channel>): Channel => ({
  ...({ id: 1, name: 'Several' } as Channel),
  key: 'key-a\nkey-b\nkey-c',
  keyUnreadable: false,
  multiKeyMode: 'polling',
  keyStates: [],
  ...fields,
})

const disabled = { status: 3, reason: 'no', time: 1 } as const
const enabled = { status: 1, reason: '', time: 0 } as const

const draw = (turns: KeyTurns, channel: Channel, times: number): string[] =>
  Array.from({ length: times }, () => turns.choose(channel).text)

describe('by polling', () => {
  test('the keys take turns, and those that are disabled are passed over', () => {
    const turns = new KeyTurns()
    expect(draw(turns, channelOf({}), 4)).toEqual(['key-a', 'key-b', 'key-c', 'key-a'])
    const two = channelOf({ keyStates: [enabled, disabled, enabled] })
    expect(turns.next(two)).toBe(1)
    expect(draw(turns, two, 3)).toEqual(['key-c', 'key-a', 'key-c'])
  })

  test('each channel has turns of its own, which go on when its keys become fewer', () => {
    const turns = new KeyTurns()
    draw(turns, channelOf({}), 3)
    expect(draw(turns, channelOf({ id: 2 }), 1)).toEqual(['key-a'])
    expect(turns.next(channelOf({ key: 'key-a\nkey-b' }))).toBe(0)
    expect(draw(turns, channelOf({ key: 'key-a\nkey-b' }), 1)).toEqual(['key-a'])
  })
})

test('at random every enabled key comes up, and no other', () => {
  const channel = channelOf({ multiKeyMode: 'random', keyStates: [disabled] })
  expect(new Set(draw(new KeyTurns(), channel, 200))).toEqual(new Set(['key-b', 'key-c']))
})

describe('of keys that stand badly', () => {
  const without =
    (...bad: string[]) =>
    ({ text }: { text: string }) =>
      !bad.includes(text)

  test('those in order take turns that do not, and all of them where none is better', () => {
    const turns = new KeyTurns()
    const channel = channelOf({})
    const next = (...bad: string[]) => turns.choose(channel, without(...bad)).text
    expect([next('key-a'), next('key-a'), next('key-a')]).toEqual(['key-b', 'key-c', 'key-b'])
    expect(next('key-a', 'key-b', 'key-c')).toBe('key-c')
    expect([next('key-a', 'key-c'), next('key-a', 'key-c')]).toEqual(['key-b', 'key-b'])
    expect(next('key-a', 'key-b')).toBe('key-c')
    expect([next(), next()]).toEqual(['key-a', 'key-b'])
  })

  test('none is drawn while there is a better one', () => {
    const channel = channelOf({ multiKeyMode: 'random', keyStates: [enabled, disabled, enabled] })
    const turns = new KeyTurns()
    const drawn = Array.from({ length: 50 }, () => turns.choose(channel, without('key-a')).text)
    expect(new Set(drawn)).toEqual(new Set(['key-c']))
    // One that is disabled is never better.
    expect(turns.choose(channel, without('key-a', 'key-c')).text).not.toBe('key-b')
  })
})

test('a channel of one key uses its first line only', () => {
  const channel = channelOf({ multiKeyMode: null })
  expect(draw(new KeyTurns(), channel, 2)).toEqual(['key-a', 'key-a'])
  expect(draw(new KeyTurns(), channelOf({ multiKeyMode: null, key: '' }), 1)).toEqual([''])
})

test('no key that may be used is said so', () => {
  const all = channelOf({ keyStates: [disabled, disabled, disabled] })
  expect(() => new KeyTurns().choose(all)).toThrow(/All keys of channel "Several" are disabled/)
  // Its vendor can still be asked which models it has.
  expect(firstKey(all).text).toBe('key-a')
  const unreadable = channelOf({ key: '', keyUnreadable: true })
  expect(() => new KeyTurns().choose(unreadable)).toThrow(/cannot be read any more/)
  expect(() => firstKey(unreadable)).toThrow(/cannot be read any more/)
})
