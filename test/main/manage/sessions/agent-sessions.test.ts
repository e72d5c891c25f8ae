import { expect, test } from 'vitest'
import {
  claudeCodeFirst,
  claudeCodeHeaders,
  claudeCodeLater,
  claudeCodeTitle,
} from '../../../support/agent-requests/claude-code.ts'
import { codexFirst, codexHeaders, codexLater } from '../../../support/agent-requests/codex.ts'
import { signInAs } from '../users/people.ts'
import { startSessionStage } from './session-stage.ts'

const MODEL = 'claude-opus-5'
const CLAUDE = 'claude-code:0b6f1c0e-6a5b-4df8-9c55-6a0f5f0a4f11'
const CODEX = 'codex:019a5d1e-6f53-7b52-9d0c-5f3b9d1f7a10'

const sessionPath = (id: string) => `/api/sessions/${encodeURIComponent(id)}`

async function startWithClaudeCode() {
  const stage = await startSessionStage()
  stage.addChannel({ models: [MODEL] })
  const say = (body: object, headers = {}) =>
    stage.call('/v1/messages', body, { ...claudeCodeHeaders, ...headers })
  await say(claudeCodeTitle(MODEL))
  await say(claudeCodeFirst(MODEL))
  await say(claudeCodeLater(MODEL))
  return { ...stage, say }
}

test('Claude Code’s calls are one session, with what was asked as its title', async () => {
  const stage = await startWithClaudeCode()
  const [session, ...others] = await stage.sessions()
  expect(others).toEqual([])
  expect(session).toMatchObject({
    ...{ id: CLAUDE, title: 'What is in the picture?', calls: 3, errors: 0, token_name: 'laptop' },
    ...{ client: claudeCodeHeaders['user-agent'], models: [MODEL] },
  })
  expect(session.cache_hit_rate).toBeGreaterThan(0)
  expect(session.quota).toBeGreaterThan(0)
})

test('inside, each call shows what it adds, and the title’s call stands beside', async () => {
  const stage = await startWithClaudeCode()
  const { body } = await stage.owner.get(sessionPath(CLAUDE))
  const { calls, session } = body.data
  expect(calls.map(({ kind }: { kind: string }) => kind)).toEqual(['background', 'main', 'main'])
  const [, first, later] = calls
  expect(first.input.map(({ text }: { text: string }) => text)).toContain('What is in the picture?')
  expect(first.output).toMatchObject([{ kind: 'tool-call', name: 'Bash', id: 'toolu_1' }])
  expect(later.input.map(({ text }: { text: string }) => text)).not.toContain(
    'What is in the picture?',
  )
  expect(later.input).toContainEqual(
    expect.objectContaining({
      kind: 'tool-result',
      name: 'Read',
      id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
    }),
  )
  expect(later.output).toMatchObject([{ kind: 'text', text: 'Done: hi.' }])
  expect(later.quota_so_far).toBe(session.quota)
})

test('side tasks that were seen once stay apart from the agent’s calls when the captures are gone', async () => {
  const { owner, gateway } = await startWithClaudeCode()
  const kinds = async () => {
    const { calls } = (await owner.get(sessionPath(CLAUDE))).body.data
    return calls.map(({ kind }: { kind: string }) => kind)
  }
  expect(await kinds()).toEqual(['background', 'main', 'main'])
  gateway.parts.captures.clear()
  expect(await kinds()).toEqual(['background', 'main', 'main'])
})

test('a call that was not captured is the agent’s own: nothing tells that it had no tools', async () => {
  const { say, owner, gateway } = await startWithClaudeCode()
  gateway.parts.settings.update({ CaptureLevel: 'off' })
  await say(claudeCodeLater(MODEL))
  const { calls } = (await owner.get(sessionPath(CLAUDE))).body.data
  const kinds = calls.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['background', 'main', 'main', 'main'])
})

test('a sub-agent’s calls are in its parent’s session, in a line of their own', async () => {
  const { say, owner, doctor } = await startWithClaudeCode()
  const id = await say(claudeCodeFirst(MODEL), { 'x-claude-code-agent-id': 'a1' })
  const { body } = await owner.get(sessionPath(CLAUDE))
  expect(body.data.calls.at(-1)).toMatchObject({ request_id: id, kind: 'agent', agent: 'a1' })
  const { findings } = await doctor(CLAUDE)
  expect(findings.map((one: { request_id: string }) => one.request_id)).not.toContain(id)
})

test('Codex’s calls are one session, the environment is no title', async () => {
  const stage = await startSessionStage()
  stage.addChannel({
    type: 1,
    models: ['gpt-5'],
    settings: { endpoint_types: ['openai-response'] },
  })
  await stage.call('/v1/responses', codexFirst('gpt-5'), codexHeaders)
  await stage.call('/v1/responses', codexLater('gpt-5'), codexHeaders)
  expect(await stage.sessions()).toMatchObject([{ id: CODEX, calls: 2, title: 'Look at this.' }])
})

test('users see their own sessions, and texts only if the owner lets them', async () => {
  const stage = await startWithClaudeCode()
  const user = await signInAs(stage, { username: 'bea', quota: 5_000_000 })
  expect(await stage.sessions(user)).toEqual([])
  const refused = await user.get(sessionPath(CLAUDE))
  expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const { parts, url } = stage.gateway
  const token = parts.tokens.create({ userId: user.id, name: 'own', unlimitedQuota: true })
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { ...claudeCodeHeaders, 'x-api-key': `sk-${token.key}` },
    body: JSON.stringify(claudeCodeFirst(MODEL)),
  })
  expect(answer.status, await answer.text()).toBe(200)
  const own = { user_id: user.id, calls: 1 }
  expect(await stage.sessions(user)).toMatchObject([{ ...own, title: null }])
  parts.settings.update({ CaptureForUsers: true })
  expect(await stage.sessions(user)).toMatchObject([{ ...own, title: 'What is in the picture?' }])
  const { body } = await user.get(sessionPath(CLAUDE))
  expect(body.data.calls).toMatchObject([{ channel_name: '', kind: 'main' }])
})

test('without captures the figures are there, and no words', async () => {
  const stage = await startSessionStage()
  stage.addChannel({ models: [MODEL] })
  stage.gateway.parts.settings.update({ CaptureLevel: 'off' })
  await stage.call('/v1/messages', claudeCodeFirst(MODEL), claudeCodeHeaders)
  await stage.call('/v1/messages', claudeCodeLater(MODEL), claudeCodeHeaders)
  expect(await stage.sessions()).toMatchObject([{ calls: 2, title: null }])
  const { body } = await stage.owner.get(sessionPath(CLAUDE))
  expect(body.data.calls[1]).toMatchObject({ input: null, output: null })
  const { findings } = await stage.doctor(CLAUDE)
  expect(findings).toMatchObject([{ equal_tokens: null, path: null }])
})

test('after a failed call the cost so far of unpriced ones is still unknown', async () => {
  const { addChannel, call, gateway, key, owner } = await startSessionStage()
  addChannel({ models: ['house-model'] })
  await call('/v1/messages', claudeCodeFirst('house-model'), claudeCodeHeaders)
  const { status } = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { ...claudeCodeHeaders, 'x-api-key': key },
    body: JSON.stringify(claudeCodeFirst('no-such-model')),
  })
  expect(status).toBe(404)
  const { body } = await owner.get(sessionPath(CLAUDE))
  const costs = body.data.calls.map((one: { quota_so_far: number }) => one.quota_so_far)
  expect(costs).toEqual([null, null])
})

test('behind a call that was too long to capture whole, the next one shows only what it adds', async () => {
  const { say, owner, gateway } = await startWithClaudeCode()
  gateway.parts.settings.update({ CaptureBodyMegabytes: 1 })
  const later = claudeCodeLater(MODEL)
  await say({ ...later, metadata: { user_id: 'x'.repeat(1_100_000) } })
  await say(later)
  const { calls } = (await owner.get(sessionPath(CLAUDE))).body.data
  expect(calls[3]).toMatchObject({ input: [], reason: { code: 'reading_cut' } })
  expect(calls[4].input.map(({ text }: { text: string }) => text)).not.toContain(
    'What is in the picture?',
  )
})

test('titles go with their captures', async () => {
  const stage = await startWithClaudeCode()
  await stage.sessions()
  await stage.owner.send('DELETE', '/api/captures')
  expect(await stage.sessions()).toMatchObject([{ id: CLAUDE, title: null }])
})

test('a cursor that is none is refused by name', async () => {
  const { owner } = await startSessionStage()
  const { status, body } = await owner.get('/api/sessions?cursor=x')
  expect({ status, field: body.field }).toEqual({ status: 400, field: 'cursor' })
})
