import { expect, test } from 'vitest'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'

const settings = { endpoint_types: ['openai-response'] }
const usage = { input_tokens: 10, output_tokens: 5 }
const done = (id: string) => JSON.stringify({ type: 'response.completed', response: { id, usage } })

test('a token’s other group, alias and name hold for the next call of a connection', async () => {
  const { gateway, upstream, connect } = await startSocketStage()
  gateway.set({ GroupRatio: { default: 1, vip: 2 }, UserUsableGroups: { vip: 'Faster' } })
  const shared = { baseUrl: upstream.url, models: ['gpt'], settings }
  gateway.addChannel({ ...shared, name: 'for all' })
  gateway.addChannel({ ...shared, name: 'for few', groups: ['vip'] })
  const token = gateway.addToken({ group: 'vip' })
  const { client, say } = await connect(token.full)
  say()
  const first = await upstream.session()
  await first.heard(1)
  first.socket.send(done('r1'))
  await client.heard(1)
  const modelAliases = { mine: 'gpt' }
  gateway.parts.tokens.update(token.id, { name: 'moved', group: '', modelAliases })
  say({ model: 'mine' })
  const second = await upstream.session(2)
  await second.heard(1)
  second.socket.send(done('r2'))
  await client.heard(2)
  const rows = gateway.rows().map(({ channelName, group, tokenName }) => ({
    ...{ channelName, group, tokenName },
  }))
  expect(rows).toEqual([
    { channelName: 'for all', group: 'default', tokenName: 'moved' },
    { channelName: 'for few', group: 'vip', tokenName: 'test' },
  ])
  client.raw.close()
  await second.ended
})

test('quota that a token is given pays for the next call of a connection', async () => {
  const { gateway, upstream, connect } = await startSocketStage()
  gateway.set({ ModelRatio: { gpt: 10 }, PreConsumedQuota: 0 })
  gateway.addChannel({ baseUrl: upstream.url, models: ['gpt'], settings })
  const token = gateway.addToken({ unlimitedQuota: false, grantedQuota: 40_000 })
  const { client, say } = await connect(token.full)
  const dear = { max_output_tokens: 50_000 }
  say(dear)
  expect(await client.event('error')).toMatchObject({
    error: { code: 'pre_consume_token_quota_failed' },
  })
  gateway.parts.tokens.update(token.id, { grantedQuota: 100_000_000 })
  say(dear)
  const session = await upstream.session()
  await session.heard(1)
  session.socket.send(done('r1'))
  await client.event('response.completed')
  client.raw.close()
  await session.ended
})

test('a token that was deleted makes no further call on its connection, and the log says so', async () => {
  const { gateway, upstream, connect } = await startSocketStage()
  gateway.addChannel({ baseUrl: upstream.url, models: ['gpt'], settings })
  const token = gateway.addToken()
  const { client, say } = await connect(token.full)
  gateway.parts.tokens.remove([token.id])
  say()
  expect(await client.event('error')).toMatchObject({ error: { code: 'invalid_api_key' } })
  const [row] = await gateway.rowsWhen(1)
  expect(row).toMatchObject({ tokenId: token.id, content: expect.stringContaining('was deleted') })
  expect(upstream.sessions).toEqual([])
  client.raw.close()
})
