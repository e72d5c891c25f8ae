import { describe, expect, test } from 'vitest'
import { enableAgain } from '../../../../main/manage/channels/channel-guard.ts'
import type { Management } from '../management.ts'
import {
  badKey,
  chat,
  completion,
  events,
  KEYS,
  noQuota,
  reasonOf,
  statusOf,
  until,
  withVendor,
} from './vendor-by-key.ts'

/** Begins a test of all channels and waits for its end. */
async function testAll(management: Management) {
  const { status } = await management.owner.get('/api/channel/test')
  expect(status).toBe(200)
  const { rounds } = management.gateway.parts
  await until(() => {
    try {
      void rounds.run('test', () => Promise.resolve())
      return true
    } catch {
      return false
    }
  })
}

describe('a call that the vendor refuses', () => {
  test('disables a channel whose key is bad, with the reason in its row and in the log, but not the key', async () => {
    const management = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    const id = management.add()
    const other = management.add({ key: KEYS[1], priority: -1 })
    expect(await chat(management)).toBe(200)
    expect(statusOf(management, id)).toBe(3)
    expect(reasonOf(management, id)).toBe('status 401: Incorrect API key provided: ***')
    expect(statusOf(management, other)).toBe(1)
    await until(() => events(management).length === 1)
    expect(events(management)[0]).toEqual({
      content: expect.stringMatching(/^Disabled channel "Vendor" \(1\): status 401/),
      channelId: id,
    })
  })

  test('changes nothing while the option is off, or the channel’s own is', async () => {
    const management = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    const kept = management.add({ autoBan: 0 })
    await chat(management)
    expect(statusOf(management, kept)).toBe(1)
    management.gateway.parts.channels.update(kept, { autoBan: 1 })
    management.gateway.parts.settings.update({ AutomaticDisableChannelEnabled: false })
    await chat(management)
    expect(statusOf(management, kept)).toBe(1)
  })

  test('keeps the last channel of a model for what may pass, and says so once', async () => {
    const management = await withVendor({ [KEYS[0]]: noQuota })
    const id = management.add()
    await chat(management)
    await chat(management)
    expect(statusOf(management, id)).toBe(1)
    await until(() => events(management).length > 0)
    expect(events(management)).toEqual([
      { content: expect.stringMatching(/^Kept .* nothing else serves "gpt-a"/), channelId: id },
    ])
    // With another one beside it, it goes.
    management.add({ key: KEYS[1], priority: -1 })
    await chat(management)
    expect(statusOf(management, id)).toBe(3)
  })

  test('of several keys disables the one that was used, and the channel with the last', async () => {
    const management = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    const id = management.add({ key: KEYS.join('\n'), multiKeyMode: 'polling' })
    await chat(management)
    const { channels } = management.gateway.parts
    expect(channels.byId(id)?.keyStates.map(({ status }) => status)).toEqual([3, 1])
    expect(statusOf(management, id)).toBe(1)
    // The other key serves on by itself.
    expect([await chat(management), await chat(management)]).toEqual([200, 200])
    management.answers[KEYS[1]] = badKey(KEYS[1])
    await chat(management)
    expect(statusOf(management, id)).toBe(3)
    expect(reasonOf(management, id)).toBe('All keys are disabled')
    // By hand it gets another chance with all that the gateway had disabled.
    await management.owner.send('POST', `/api/channel/${id}/status`, { status: 1 })
    expect(channels.byId(id)?.keyStates.every(({ status }) => status === 1)).toBe(true)
  })

  test('never goes by a text that only the caller can help', async () => {
    const management = await withVendor({})
    const operations = [
      { mode: 'regex_replace', path: 'messages.0.content', from: '^(a+)+$', to: '' },
    ]
    const fields = { paramOverride: { operations }, key: KEYS.join('\n') }
    const id = management.add({ ...fields, multiKeyMode: 'polling' })
    expect(await chat(management, `${'a'.repeat(40)}!`)).toBe(400)
    expect(await chat(management)).toBe(200)
    expect(management.gateway.parts.channels.byId(id)).toMatchObject({ status: 1, keyStates: [] })
  })

  test('for what is wrong with the channel itself disables that, and none of its keys', async () => {
    const management = await withVendor({})
    const modelMapping = { 'gpt-a': 'gpt-b', 'gpt-b': 'gpt-a' }
    const id = management.add({ key: KEYS.join('\n'), multiKeyMode: 'polling', modelMapping })
    expect(await chat(management)).toBe(502)
    expect(management.gateway.parts.channels.byId(id)).toMatchObject({ status: 3, keyStates: [] })
    expect(reasonOf(management, id)).toMatch(/loops/)
  })

  test('says nothing of a key that was edited meanwhile, and is no strike against the new one', async () => {
    const management = await withVendor({})
    const id = management.add()
    const { key } = management.gateway.parts.channels.byId(id) ?? { key: '' }
    management.upstream.script({ ...badKey(key), delay: 150 })
    const call = chat(management)
    await until(() => management.upstream.requests.length === 1)
    management.gateway.parts.channels.update(id, { key: KEYS[1] })
    await call
    expect(statusOf(management, id)).toBe(1)
    const { data } = (await management.owner.get('/api/channel/health')).body
    expect(data).toMatchObject([{ id, disable_failures: 0 }])
  })
})

describe('a test of all channels', () => {
  test('with the key of before enables no channel that has another one by now', async () => {
    const management = await withVendor({})
    const id = management.add({ status: 3 })
    management.gateway.parts.channels.update(id, { key: KEYS[1] })
    enableAgain(id, KEYS[0], management.gateway.parts)
    expect(statusOf(management, id)).toBe(3)
    enableAgain(id, KEYS[1], management.gateway.parts)
    expect(statusOf(management, id)).toBe(1)
  })

  test('enables what passes again, of several keys that one, and leaves alone what was disabled by hand', async () => {
    const management = await withVendor({ [KEYS[1]]: badKey(KEYS[1]) })
    const passes = management.add({ status: 3 })
    const fails = management.add({ status: 3, key: KEYS[1] })
    const byHand = management.add({ status: 2 })
    const state = { status: 3, reason: 'x', time: 1 } as const
    const several = management.add({
      status: 3,
      key: `sk-third\n${KEYS[1]}`,
      multiKeyMode: 'polling',
      keyStates: [state, { ...state, status: 2 }],
    })
    await testAll(management)
    const statuses = [passes, fails, byHand, several].map((id) => statusOf(management, id))
    expect(statuses).toEqual([1, 3, 2, 1])
    expect(reasonOf(management, passes)).toBe('It passed a test')
    const { keyStates = [] } = management.gateway.parts.channels.byId(several) ?? {}
    expect(keyStates.map(({ status }) => status)).toEqual([1, 2])
    // Neither option nor rule: a test by itself changes nothing.
    await management.owner.get(`/api/channel/test/${fails}`)
    expect(statusOf(management, fails)).toBe(3)
  })

  test('uses no key that a person has disabled', async () => {
    const management = await withVendor({})
    const state = { status: 2, reason: 'x', time: 1 } as const
    const closed = management.add({
      ...{ status: 3, key: KEYS.join('\n'), multiKeyMode: 'random', keyStates: [state, state] },
    })
    const passes = management.add({ status: 3, key: 'sk-fine' })
    await testAll(management)
    expect([closed, passes].map((id) => statusOf(management, id))).toEqual([3, 1])
    const used = management.upstream.requests.map(({ headers }) => headers.authorization)
    expect(used).toEqual(['Bearer sk-fine'])
  })

  test('disables what is refused or too slow, and one round is enough at a time', async () => {
    const slow = { body: completion, delay: 400 }
    const management = await withVendor({ [KEYS[0]]: badKey(KEYS[0]), [KEYS[1]]: slow })
    management.gateway.parts.settings.update({ ChannelDisableThreshold: 0.3 })
    const refused = management.add()
    const late = management.add({ key: KEYS[1] })
    const fine = management.add({ key: 'sk-fine' })
    await management.owner.get('/api/channel/test')
    const second = await management.owner.get('/api/channel/test')
    expect([second.status, second.body.code]).toEqual([409, 'conflict'])
    await until(() => statusOf(management, refused) === 3 && statusOf(management, late) === 3)
    expect(reasonOf(management, late)).toMatch(/took 0\.\d s, which is more than 0\.3 s/)
    expect(statusOf(management, fine)).toBe(1)
  })
})
