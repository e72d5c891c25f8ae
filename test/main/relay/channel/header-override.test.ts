import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.set({ ChannelFailureCount: 0, RetryTimes: 0 })
  const channels = {
    usual: { 're:^X-(Team|Task)-': '' },
    digits: { 're:^x-\\D+$': '' },
    slow: { 're:^(a+)+$': '' },
    broken: { 're:(': '', 'X-Fixed': 'yes' },
  }
  for (const [name, headerOverride] of Object.entries(channels))
    pair.addChannelOf('chat', { name, models: [name], headerOverride })
})
afterAll(() => pair.close())

async function ask(model: string, headers: Record<string, string>) {
  pair.upstream.script({ body: { choices: [] } })
  const body = { model, messages: [{ role: 'user', content: 'hi' }] }
  return pair.send('/v1/chat/completions', { body, headers })
}

test('a pattern hands on the headers whose names it matches, in each of several calls', async () => {
  for (const value of ['one', 'two']) {
    const sent = { 'X-Team-Name': value, 'x-task-id': value, 'x-other': value, [`x-${value}`]: '1' }
    expect((await ask('usual', sent)).status).toBe(200)
    const { headers } = pair.upstream.last()
    expect(headers).toMatchObject({ 'x-team-name': value, 'x-task-id': value })
    expect(headers).not.toHaveProperty('x-other')
    expect(headers).not.toHaveProperty(`x-${value}`)
  }
})

test('a pattern’s letters keep their case, on which its meaning hangs', async () => {
  expect((await ask('digits', { 'x-team': '1', 'x-2026': '2' })).status).toBe(200)
  const { headers } = pair.upstream.last()
  expect(headers).toMatchObject({ 'x-team': '1' })
  expect(headers).not.toHaveProperty('x-2026')
})

test('a name on which a pattern would take for ever ends its own call, and no other', async () => {
  const refused = await ask('slow', { [`${'a'.repeat(60)}-b`]: '1' })
  expect(refused.status).toBe(400)
  const { error } = JSON.parse(refused.text) as { error: { code: string; message: string } }
  expect(error.code).toBe('invalid_request')
  expect(error.message).toContain('takes too long')
  // The pattern is the owner's.
  expect(refused.text).not.toContain('a+')
  expect((await ask('slow', { aaa: '1' })).status).toBe(200)
  expect(pair.upstream.last().headers).toMatchObject({ aaa: '1' })
})

test('a broken pattern matches nothing, and the rest of the override is applied', async () => {
  expect((await ask('broken', { 'x-other': '1' })).status).toBe(200)
  const { headers } = pair.upstream.last()
  expect(headers).toMatchObject({ 'x-fixed': 'yes' })
  expect(headers).not.toHaveProperty('x-other')
})
