import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Management } from '../management.ts'
import { choiceOf, connect, stageAt, undo } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

const tokensOf = ({ gateway }: Management) => gateway.parts.tokens.all().map(({ name }) => name)

async function call({ gateway }: Management, agent: string, model = 'echo'): Promise<void> {
  const [token] = gateway.parts.tokens.all()
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${token?.key}`,
      'content-type': 'application/json',
      'user-agent': agent,
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

async function applyWith(stage: Management, tool: string, tokenId: number, main = 'echo') {
  const choice = { ...choiceOf(tool, main), token_id: tokenId }
  const { body } = await stage.owner.send('POST', '/api/connect/preview', choice)
  const { digest } = body.data
  return stage.owner.send('POST', '/api/connect/apply', { ...choice, digest })
}

test('undo removes the token that was made for the tool, after calls of that tool too', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'codex')
  await call(stage, 'codex_cli_rs/0.169.0 (Linux)')
  await call(stage, 'codex_cli_rs/0.170.0 (Linux)')
  const { body } = await undo(stage, 'codex')
  expect(body.data.token).toEqual({ id: 1, name: 'Codex', kept: null })
  expect(tokensOf(stage)).toEqual([])
})

test('a token that was there before stays', async () => {
  const stage = await stageAt(toolHome())
  await stage.owner.send('POST', '/api/token', {
    ...{ name: 'laptop', unlimited_quota: true, expired_time: -1 },
  })
  await applyWith(stage, 'codex', 1)
  const { body } = await undo(stage, 'codex')
  expect(body.data.token).toBeNull()
  expect(tokensOf(stage)).toEqual(['laptop'])
})

const uses: [string, (stage: Management, path: string) => unknown][] = [
  ['tool', (stage) => applyWith(stage, 'opencode', 1)],
  ['renamed', (stage) => stage.gateway.parts.tokens.update(1, { name: 'for everything' })],
  [
    'calls',
    async (stage) => {
      await call(stage, 'codex_cli_rs/0.169.0')
      await call(stage, 'python-requests/2.32')
    },
  ],
  [
    'file',
    ({ gateway }, path) => {
      const key = gateway.parts.tokens.byId(1)?.key
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n[env]\nMY_KEY = "sk-${key}"\n`)
    },
  ],
]

test.each(uses)('it stays where something else uses it: %s', async (kept, use) => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'codex')
  await use(stage, home.at('.codex/config.toml'))
  const { body } = await undo(stage, 'codex')
  expect(body.data.token, body.message).toMatchObject({ id: 1, kept })
  expect(stage.gateway.parts.tokens.byId(1)).toBeDefined()
})

test('a new token in the place of the made one leaves none behind', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'codex')
  await connect(stage, 'codex', 'echo-mini')
  expect(stage.gateway.parts.tokens.all()).toMatchObject([{ id: 2, modelLimits: ['echo-mini'] }])
  await undo(stage, 'codex')
  expect(tokensOf(stage)).toEqual([])
})

test('connected again with its own token, it is still the one that undo removes', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'codex')
  await applyWith(stage, 'codex', 1)
  await undo(stage, 'codex')
  expect(tokensOf(stage)).toEqual([])
})

test('another model with the tool’s own token: the token may use it too, and calls work', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'codex')
  const choice = { ...choiceOf('codex', 'echo-mini'), token_id: 1 }
  const { body: shown } = await stage.owner.send('POST', '/api/connect/preview', choice)
  expect(shown.data).toMatchObject({ warnings: [], token: { id: 1, adds: ['echo-mini'] } })
  const { body } = await applyWith(stage, 'codex', 1, 'echo-mini')
  expect(body.data, body.message).toMatchObject({ chosen: { main: 'echo-mini' } })
  await call(stage, 'codex_cli_rs/0.169.0', 'echo-mini')
  expect(stage.gateway.parts.tokens.byId(1)?.modelLimits).toEqual(['echo', 'echo-mini'])
})

test('its limits stay as they were where the files can’t be written', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'codex')
  chmodSync(home.at('.codex/config.toml'), 0o440)
  const { status } = await applyWith(stage, 'codex', 1, 'echo-mini')
  expect(status).toBe(409)
  expect(stage.gateway.parts.tokens.byId(1)?.modelLimits).toEqual(['echo'])
})

test('a token of others that may not use the model is never applied: every call would be refused', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const before = home.snapshot()
  await stage.owner.send('POST', '/api/token', {
    ...{ name: 'laptop', unlimited_quota: true, expired_time: -1 },
    ...{ model_limits_enabled: true, model_limits: 'echo' },
  })
  const choice = { ...choiceOf('codex', 'echo-mini'), token_id: 1 }
  const { body: shown } = await stage.owner.send('POST', '/api/connect/preview', choice)
  expect(shown.data.token).toMatchObject({ adds: [], refuses: ['echo-mini'] })
  expect(shown.data.warnings).toMatchObject([{ reason: { code: 'connect_model_refused' } }])
  const { status, body } = await applyWith(stage, 'codex', 1, 'echo-mini')
  expect([status, body.message]).toEqual([
    ...[409, expect.stringMatching(/"laptop" may not use "echo-mini"/)],
  ])
  expect(home.snapshot()).toEqual(before)
  expect(stage.gateway.parts.tokens.byId(1)?.modelLimits).toEqual(['echo'])
})
