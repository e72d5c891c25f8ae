import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holdClock } from '../account/authenticator.ts'
import { startUnset } from '../management.ts'
import {
  badKey,
  broken,
  chat,
  completion,
  events,
  KEYS,
  keyStatusesOf,
  noQuota,
  reasonOf,
  type Staged,
  statusOf,
  until,
  withVendor,
} from './vendor-by-key.ts'

const counting = ({ gateway }: Staged, ChannelDisableFailures = 3) =>
  gateway.parts.settings.update({ ChannelDisableFailures })

async function chats(stage: Staged, times: number) {
  for (let time = 0; time < times; time++) await chat(stage)
}

describe('failures by the rule for disabling', () => {
  test('disable a channel when there were three in a row, and the reason says so', async () => {
    const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    counting(stage)
    const id = stage.add()
    stage.add({ key: KEYS[1], priority: -1 })
    await chats(stage, 2)
    expect(statusOf(stage, id)).toBe(1)
    await chat(stage)
    expect(statusOf(stage, id)).toBe(3)
    expect(reasonOf(stage, id)).toBe(
      '3 failures in a row, the last: status 401: Incorrect API key provided: ***',
    )
  })

  test('begin anew with an answer, and are not ended by a failure of another kind', async () => {
    const stage = await withVendor()
    counting(stage)
    const id = stage.add()
    stage.add({ key: KEYS[1], priority: -1 })
    const replies = [noQuota, noQuota, { body: completion }, noQuota, broken, noQuota]
    for (const reply of replies) {
      stage.answers[KEYS[0]] = reply
      await chat(stage)
    }
    expect(statusOf(stage, id)).toBe(1)
    stage.answers[KEYS[0]] = noQuota
    await chat(stage)
    expect(statusOf(stage, id)).toBe(3)
  })

  test('are counted for each key by itself', async () => {
    const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    counting(stage)
    const id = stage.add({ key: KEYS.join('\n'), multiKeyMode: 'polling' })
    // Every other one goes to the key that is good.
    await chats(stage, 4)
    expect(keyStatusesOf(stage, id)).toEqual([])
    await chat(stage)
    expect(keyStatusesOf(stage, id)).toEqual([3, 1])
  })

  test('are forgotten when the key is entered anew', async () => {
    const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    counting(stage)
    const id = stage.add()
    await chats(stage, 2)
    await stage.owner.send('PUT', '/api/channel/', { id, key: KEYS[1] })
    await stage.owner.send('PUT', '/api/channel/', { id, key: KEYS[0] })
    await chats(stage, 2)
    expect(statusOf(stage, id)).toBe(1)
  })
})

describe('the last way to a model', () => {
  test('that is of no use any more goes with a word of what nothing serves now', async () => {
    const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    const id = stage.add()
    await chat(stage)
    expect(statusOf(stage, id)).toBe(3)
    await until(() => events(stage).length === 1)
    expect(events(stage)[0]?.content).toMatch(/^Disabled .*\. Nothing else serves "gpt-a"\.$/)
  })

  test('in one of its groups is kept, and so is the last key of it', async () => {
    const stage = await withVendor({ [KEYS[0]]: noQuota, [KEYS[1]]: noQuota })
    const id = stage.add({
      ...{ key: KEYS.join('\n'), multiKeyMode: 'polling', groups: ['default', 'vip'] },
    })
    // It could not serve those of the other group.
    stage.add({ key: 'sk-fine', priority: -1 })
    await chats(stage, 3)
    expect(keyStatusesOf(stage, id)).toEqual([3, 1])
    expect(statusOf(stage, id)).toBe(1)
    await until(() => events(stage).length === 2)
    expect(events(stage)[0]?.content).toMatch(/^Kept channel "Vendor" .* serves "gpt-a"/)
    stage.add({ key: 'sk-fine', priority: -1, groups: ['vip'] })
    await chats(stage, 2)
    expect(statusOf(stage, id)).toBe(3)
  })
})

test('a channel that is kept although it should go is told of again after the clock was set back', async () => {
  const clock = holdClock()
  const stage = await withVendor({ [KEYS[0]]: noQuota })
  stage.add()
  const kept = () => events(stage).filter(({ content }) => content.startsWith('Kept')).length
  await chats(stage, 2)
  await until(() => kept() === 1)
  clock.advance(-86_400)
  await chat(stage)
  await until(() => kept() === 2)
})

test('after a restart what was disabled is so still, and what was left alone for a while is asked', async () => {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-restart-'))
  const dataFolder = join(root, 'data')
  const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) }, { dataFolder })
  const disabled = stage.add({ priority: 1 })
  const cooling = stage.add({ key: KEYS[1] })
  await chat(stage)
  expect(statusOf(stage, disabled)).toBe(3)
  stage.answers[KEYS[1]] = broken
  stage.gateway.parts.settings.update({ ChannelFailureCount: 2, ChannelCooldownSeconds: 3600 })
  await chats(stage, 2)
  const stateOf = async (visitor: Staged['owner']) => {
    const { body } = await visitor.get('/api/channel/health')
    return body.data.find(({ id }: { id: number }) => id === cooling)
  }
  expect(await stateOf(stage.owner)).toMatchObject({ state: 'open' })
  await stage.gateway.close()

  const again = await startUnset({ dataFolder })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  expect(statusOf(again, disabled)).toBe(3)
  expect(reasonOf(again, disabled)).toMatch(/^status 401: .*\*\*\*$/)
  const owner = again.visitor()
  await owner.send('POST', '/api/user/login', { username: 'ada', password: 'correct horse' })
  expect(await stateOf(owner)).toMatchObject({ state: 'closed', failures: 0, parts: [] })
})
