import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TokenFields } from '../../../../main/store/records/tokens.ts'
import { type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'

let pair: Pair

const answer = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 0 } }
const call = (fields: Partial<TokenFields>) =>
  pair.send('/v1/chat/completions', {
    body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${pair.gateway.addToken(fields).full}` },
  })
const add = (name: string, groups: string[], fields: object = {}) =>
  pair.addChannelOf('chat', { name, key: name, groups, ...fields })
const rowOf = (one: Whole) => pair.rowsOf(one)[0]
const codeOf = (one: Whole) => one.json<{ error: { code: string } }>().error.code
const calledBy = () =>
  pair.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))

beforeEach(async () => {
  pair = await startPair({ empty: true, handler: () => ({ body: answer }) })
  pair.gateway.set({
    ModelRatio: { 'chat-model': 1 },
    GroupRatio: { default: 1, cheap: 0.5, dear: 3, hidden: 1 },
    UserUsableGroups: { default: 'Default', cheap: 'Slow', dear: 'Fast' },
    AutoGroups: ['cheap', 'hidden', 'dear'],
  })
})
afterEach(() => pair.close())

describe('a token’s group', () => {
  test('that exists and is offered is used and priced', async () => {
    add('d', ['default'])
    add('c', ['cheap'])
    const served = await call({ group: 'cheap' })
    expect(calledBy()).toEqual(['c'])
    expect(rowOf(served)).toMatchObject({ group: 'cheap', quota: 50 })
  })

  test.each([
    ['hidden', 'may not use'],
    ['gone', 'does not exist any more'],
    ['constructor', 'does not exist any more'],
  ])('%s is refused before anything is sent', async (group, words) => {
    add('h', [group])
    const refused = await call({ group, name: 'laptop' })
    expect(refused.status).toBe(403)
    expect(codeOf(refused)).toBe('group_not_allowed')
    expect(refused.text).toContain(words)
    expect(refused.text).toContain('Usable: default, cheap, dear, auto')
    expect(pair.upstream.requests).toHaveLength(0)
  })

  test('is the user’s own though nobody else may choose it', async () => {
    add('h', ['hidden'])
    const user = pair.gateway.parts.users.create({
      username: 'bob',
      role: 1,
      quota: 1_000_000,
      group: 'hidden',
    })
    expect((await call({ userId: user.id })).status).toBe(200)
    expect((await call({ userId: user.id, group: 'hidden' })).status).toBe(200)
  })

  test('costs users of one group what is agreed for them', async () => {
    add('d', ['dear'])
    pair.gateway.set({ GroupGroupRatio: { friends: { dear: 0.1 } } })
    const user = pair.gateway.parts.users.create({
      username: 'bob',
      role: 1,
      quota: 1_000_000,
      group: 'friends',
    })
    const served = await call({ userId: user.id, group: 'dear' })
    expect(rowOf(served)).toMatchObject({ quota: 10 })
    expect(JSON.parse(rowOf(served)?.other ?? '')).toMatchObject({
      group_ratio: 0.1,
      user_group_ratio: 0.1,
    })
    expect(rowOf(await call({ group: 'dear' }))).toMatchObject({ quota: 300 })
  })
})

describe('the group auto', () => {
  const broken = { status: 500, body: { error: { message: 'Broken.' } } }

  test('takes the first of its groups that serves the model, at that group’s price', async () => {
    add('h', ['hidden'])
    add('d', ['dear'])
    const served = await call({ group: 'auto' })
    expect(calledBy()).toEqual(['d'])
    expect(rowOf(served)).toMatchObject({ group: 'dear', quota: 300 })
    add('c', ['cheap'])
    expect(rowOf(await call({ group: 'auto' }))).toMatchObject({ group: 'cheap', quota: 50 })
  })

  test('stays in that group when it fails, unless the token crosses groups', async () => {
    add('c', ['cheap'], { priority: -5 })
    add('d', ['dear'], { priority: 5 })
    pair.upstream.script(broken)
    expect((await call({ group: 'auto' })).status).toBe(500)
    expect(calledBy()).toEqual(['c'])
    pair.upstream.script(broken)
    const served = await call({ group: 'auto', crossGroupRetry: true })
    expect(served.status).toBe(200)
    expect(calledBy()).toEqual(['c', 'c', 'd'])
    expect(rowOf(served)).toMatchObject({ group: 'dear', quota: 300 })
  })

  test('uses up a group before the next, and tries no channel twice', async () => {
    add('both', ['cheap', 'dear'])
    add('c', ['cheap'], { priority: -5 })
    add('d', ['dear'], { priority: 5 })
    pair.upstream.script(broken, broken, broken)
    pair.gateway.set({ RetryTimes: 5 })
    const refused = await call({ group: 'auto', crossGroupRetry: true })
    expect(refused.status).toBe(500)
    expect(calledBy()).toEqual(['both', 'c', 'd'])
  })

  test('charges for the first of its own groups, whatever the order of the channel’s', async () => {
    add('both', ['dear', 'cheap'])
    expect(rowOf(await call({ group: 'auto' }))).toMatchObject({ group: 'cheap', quota: 50 })
  })

  test('lists the models of all its groups, and says where it found none', async () => {
    add('c', ['cheap'], { models: ['a'] })
    add('d', ['dear'], { models: ['b', 'a'] })
    add('h', ['hidden'], { models: ['c'] })
    const token = pair.gateway.addToken({ group: 'auto' })
    const list = await pair.send('/v1/models', {
      method: 'GET',
      headers: { authorization: `Bearer ${token.full}` },
    })
    expect(list.json()).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }] })
    const refused = await call({ group: 'auto' })
    expect(refused.status).toBe(404)
    add('off', ['hidden'])
    expect((await call({ group: 'auto' })).text).toContain('the groups \\"cheap\\", \\"dear\\"')
  })

  test('leads nowhere where none of its groups is the user’s', async () => {
    pair.gateway.set({ AutoGroups: ['hidden'] })
    add('h', ['hidden'])
    expect((await call({ group: 'auto' })).status).toBe(403)
  })
})
