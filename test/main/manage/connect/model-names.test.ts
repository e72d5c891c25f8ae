import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startSessionStage } from '../sessions/session-stage.ts'
import { choiceOf, connect, preview, undo, viewOf } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

const ALIAS = 'claude-via-gpt-5'

/** Claude Code's settings have a model of another vendor: converted, or passed through as `messages`. */
async function stageOf(type: number) {
  const home = toolHome()
  const stage = await startSessionStage({ env: { HOME: home.path, PATH: '' } })
  stage.addChannel({ type, models: ['gpt-5'] })
  const { parts, url } = stage.gateway
  const tokenNamed = (name: string) => parts.tokens.all().find((token) => token.name === name)
  const ask = (path: string, token: string, body?: object) =>
    fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...{ authorization: `Bearer sk-${tokenNamed(token)?.key}` },
        ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        'user-agent': 'claude-cli/2.1.197',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const call = (token: string, fields: object = {}) =>
    ask('/v1/messages', token, {
      ...{ model: ALIAS, max_tokens: 64, messages: [{ role: 'user', content: 'Hi' }] },
      ...fields,
    })
  const listed = async (token: string): Promise<{ id: string; display_name: string }[]> =>
    ((await (await ask('/v1/models?limit=1000', token)).json()) as { data: never[] }).data
  return { ...stage, home, tokenNamed, ask, call, listed }
}

test.each(['OPUS', 'SONNET', 'FABLE'])(
  'a sub-agent that Claude Code starts on %s runs on the chosen model',
  async (name) => {
    const stage = await stageOf(14)
    await connect(stage, 'claude-code', 'gpt-5')
    const { env } = JSON.parse(readFileSync(stage.home.at('.claude/settings.json'), 'utf8'))
    expect(env[`ANTHROPIC_DEFAULT_${name}_MODEL`]).toBe(ALIAS)
  },
)

test('a name that Claude Code takes is written, listed and called with its token; Undo takes it back', async () => {
  const stage = await stageOf(14)
  const { home, tokenNamed, call, listed, gateway, vendor, owner } = stage
  const before = home.snapshot()
  const shown = await preview(stage, 'claude-code', 'gpt-5')
  expect(shown.token.aliases).toEqual({ [ALIAS]: 'gpt-5' })
  expect(shown.files[0].diff).toContain(`"ANTHROPIC_MODEL": "${ALIAS}"`)
  await connect(stage, 'claude-code', 'gpt-5')
  const { env } = JSON.parse(readFileSync(home.at('.claude/settings.json'), 'utf8'))
  expect([env.ANTHROPIC_MODEL, env.ANTHROPIC_DEFAULT_HAIKU_MODEL]).toEqual([ALIAS, ALIAS])
  expect(await viewOf(stage, 'claude-code')).toMatchObject({ chosen: { main: 'gpt-5' } })

  // As its discovery picks them: https://code.claude.com/docs/en/llm-gateway
  const discovered = (await listed('Claude Code')).filter(({ id }) =>
    /^(claude|anthropic)/i.test(id),
  )
  expect(discovered).toMatchObject([{ id: ALIAS, display_name: 'gpt-5' }])
  const answer = await call('Claude Code')
  expect([answer.status, await answer.json()]).toMatchObject([200, { model: ALIAS }])
  expect(vendor.requests.at(-1)?.json()).toMatchObject({ model: 'gpt-5' })
  const stream = await call('Claude Code', { stream: true })
  expect(await stream.text()).toContain(`"model":"${ALIAS}"`)
  const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 1 })
  expect(items[0]).toMatchObject({ model: 'gpt-5', tokenName: 'Claude Code' })
  expect(JSON.parse(items[0]?.other ?? '')).toMatchObject({ asked_model: ALIAS })

  expect((await call('laptop')).status).toBe(404)
  expect(await listed('laptop')).toMatchObject([{ id: 'gpt-5' }])

  const id = tokenNamed('Claude Code')?.id
  const { body: record } = await owner.get(`/api/token/${id}`)
  expect(record.data.model_aliases).toEqual({ [ALIAS]: 'gpt-5' })
  await undo(stage, 'claude-code')
  expect(home.snapshot()).toEqual(before)
  expect(tokenNamed('Claude Code')).toBeUndefined()
})

test('every list and format and a replay know the name; the token’s limits and its rows are of the real model', async () => {
  const stage = await stageOf(14)
  const { tokenNamed, ask, call, gateway, owner, vendor } = stage
  await connect(stage, 'claude-code', 'gpt-5')
  const texts = ['/v1/models', '/v1beta/models', '/v1/models?client_version=0.80.0'].map(
    async (path) => (await ask(path, 'Claude Code')).text(),
  )
  for (const text of await Promise.all(texts)) expect(text).toContain(ALIAS)
  const one = await ask(`/v1/models/${ALIAS}`, 'Claude Code')
  expect([one.status, await one.json()]).toMatchObject([200, { id: ALIAS }])
  const gemini = await ask(`/v1beta/models/${ALIAS}:generateContent`, 'Claude Code', {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  })
  expect([gemini.status, await gemini.json()]).toMatchObject([200, { modelVersion: ALIAS }])

  const laptop = tokenNamed('laptop')?.id ?? 0
  gateway.parts.tokens.update(laptop, { modelAliases: { a: 'gpt-5', b: 'gpt-5' } })
  const withFallback = await call('laptop', { model: 'a', fallbacks: [{ model: 'b' }] })
  const sent = await owner.send('POST', '/api/replays', {
    capture: String(withFallback.headers.get('x-oneapi-request-id')),
  })
  expect([withFallback.status, sent.status]).toEqual([200, 200])
  expect(vendor.requests.at(-1)?.json()).toMatchObject({ fallbacks: [{ model: 'gpt-5' }] })

  const used = await call('Claude Code')
  const capture = String(used.headers.get('x-oneapi-request-id'))
  const replayed = await owner.send('POST', '/api/replays', { capture })
  expect([replayed.status, replayed.body]).toMatchObject([200, { model: ALIAS }])

  // As a client of new-api's edits: the record as it was read, with one field changed.
  const { id } = tokenNamed('Claude Code') ?? { id: 0 }
  const { body: read } = await owner.get(`/api/token/${id}`)
  await owner.send('PUT', '/api/token', { ...read.data, name: 'mine' })
  expect(tokenNamed('mine')?.modelAliases).toEqual({ [ALIAS]: 'gpt-5' })
  await owner.send('PUT', '/api/token', { id, model_limits: 'glm-5' })
  const refused = await call('mine')
  const { error } = (await refused.json()) as { error: { message: string } }
  expect([refused.status, error.message]).toEqual([403, expect.stringContaining('"gpt-5"')])
  expect(await (await ask('/v1/models', 'mine')).text()).not.toContain(ALIAS)
  const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
  expect(new Set(items.map(({ model }) => model))).toEqual(new Set(['gpt-5']))
})

test('a converted call keeps the asked name in its answer, and the real one at the vendor', async () => {
  const stage = await stageOf(1)
  const { call, vendor } = stage
  await connect(stage, 'claude-code', 'gpt-5')
  const answer = await call('Claude Code')
  expect([answer.status, await answer.json()]).toMatchObject([200, { model: ALIAS }])
  expect(vendor.requests.at(-1)?.json()).toMatchObject({ model: 'gpt-5' })
})

test('a name whose model is gone is refused with both names, and listed no more', async () => {
  const stage = await stageOf(14)
  const { call, listed, gateway } = stage
  await connect(stage, 'claude-code', 'gpt-5')
  const [channel] = gateway.parts.channels.all()
  gateway.parts.channels.update(channel?.id ?? 0, { models: ['other'] })
  const answer = await call('Claude Code')
  const { error } = (await answer.json()) as { error: { message: string } }
  expect([answer.status, error.message]).toEqual([
    404,
    expect.stringMatching(/"gpt-5" \(asked for as "claude-via-gpt-5"\) does not exist here/),
  ])
  expect(await listed('Claude Code')).toEqual([])
})

test('another model takes the name of the first one away; a token of others has its own names after Undo', async () => {
  const stage = await stageOf(14)
  const { owner, tokenNamed, gateway } = stage
  const laptop = tokenNamed('laptop')?.id ?? 0
  gateway.parts.tokens.update(laptop, { modelAliases: { mine: 'gpt-5' } })
  stage.addChannel({ name: 'second', models: ['glm-5', 'claude-opus-5'] })
  const apply = async (main: string) => {
    const choice = { ...choiceOf('claude-code', main), token_id: laptop }
    const { body } = await owner.send('POST', '/api/connect/preview', choice)
    const { digest } = body.data
    return owner.send('POST', '/api/connect/apply', { ...choice, digest })
  }
  const names = () => tokenNamed('laptop')?.modelAliases
  expect((await apply('gpt-5')).status).toBe(200)
  expect(names()).toEqual({ mine: 'gpt-5', [ALIAS]: 'gpt-5' })
  await apply('glm-5')
  expect(names()).toEqual({ mine: 'gpt-5', 'claude-via-glm-5': 'glm-5' })
  await apply('claude-opus-5')
  expect(names()).toEqual({ mine: 'gpt-5' })
  await apply('glm-5')
  await undo(stage, 'claude-code')
  expect(names()).toEqual({ mine: 'gpt-5' })
})
