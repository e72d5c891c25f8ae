import { expect, test } from 'vitest'
import type { Management } from '../management.ts'
import { connect, stageAt, viewOf } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

const CLAUDE = 'claude-cli/2.1.197 (external, cli)'

async function call({ gateway }: Management, agent: string, model: string): Promise<number> {
  const [token] = gateway.parts.tokens.all()
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer sk-${token?.key}`, 'user-agent': agent },
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    },
    body: JSON.stringify({
      ...{ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    }),
  })
  await answer.text()
  return answer.status
}

const lastCall = async (stage: Management) => {
  const { last_call_at, failed_call } = await viewOf(stage, 'claude-code')
  return { last_call_at, failed_call }
}

test('only a call of the tool that succeeds is its first call; one that failed says why', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'claude-code')
  expect(await call(stage, CLAUDE, 'gpt-9')).toBeGreaterThanOrEqual(400)
  await expect
    .poll(() => lastCall(stage))
    .toMatchObject({
      last_call_at: null,
      failed_call: { message: expect.stringContaining('gpt-9'), code: expect.any(String) },
    })
  expect(await call(stage, 'curl/8.5.0', 'echo')).toBe(200)
  expect((await lastCall(stage)).last_call_at).toBeNull()
  expect(await call(stage, CLAUDE, 'echo')).toBe(200)
  await expect
    .poll(() => lastCall(stage))
    .toEqual({ last_call_at: expect.any(Number), failed_call: null })
})

test('of a tool whose user agent is not known, any call with its token counts', async () => {
  const stage = await stageAt(toolHome())
  await connect(stage, 'goose')
  expect(await call(stage, 'whatever/1', 'echo')).toBe(200)
  await expect
    .poll(async () => (await viewOf(stage, 'goose')).last_call_at)
    .toEqual(expect.any(Number))
})
