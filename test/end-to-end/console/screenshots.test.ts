import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { readFixture, recordedStreams } from '../../support/recordings/fixtures.ts'
import type { Reply } from '../../support/upstreams/scripted-upstream.ts'

/** The README's pictures are made anew with UPDATE_SCREENSHOTS=1; without it they are only drawn. */
const isUpdate = process.env.UPDATE_SCREENSHOTS === '1'
const output = join(import.meta.dirname, '../../output')
const kept = join(import.meta.dirname, '../../screenshots')
const largest = 250_000

let over: ConsoleOverHttp

const stream = (name: string, delay: number): Reply => ({
  chunks: [recordedStreams.find((one) => one.name === name)?.bytes ?? ''],
  delay,
})
const whole = (name: string, delay: number): Reply => ({
  body: readFixture(name),
  headers: { 'content-type': 'application/json' },
  delay,
})

/** An afternoon's requests of several tools, with recorded answers of their vendors. */
const calls: readonly { token: string; path: string; body: object; reply: Reply }[] = [
  {
    token: 'claude-code',
    path: '/v1/messages',
    body: { model: 'claude-sonnet-5-5', max_tokens: 2000, stream: true },
    reply: stream('anthropic-messages/thinking-stream.response.sse', 640),
  },
  {
    token: 'claude-code',
    path: '/v1/messages',
    body: { model: 'claude-sonnet-5-5', max_tokens: 2000 },
    reply: whole('anthropic-messages/cache-read.response.json', 910),
  },
  {
    token: 'nightly-report',
    path: '/v1/chat/completions',
    body: { model: 'gpt-5.4-mini' },
    reply: whole('openai-chat/text.json', 480),
  },
  {
    token: 'gemini-cli',
    path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    reply: stream('gemini/text-stream.chunks.txt', 350),
  },
  {
    token: 'nightly-report',
    path: '/v1/chat/completions',
    body: { model: 'gpt-5.4-mini' },
    reply: {
      status: 400,
      body: readFixture('openai-chat/legacy-max-tokens-error.json'),
      headers: { 'content-type': 'application/json' },
      delay: 90,
    },
  },
  {
    token: 'claude-code',
    path: '/v1/messages',
    body: { model: 'claude-sonnet-5-5', max_tokens: 2000, stream: true },
    reply: stream('anthropic-messages/web-search-stream.chunks.txt', 1240),
  },
]

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
  const { gateway, addChannelOf, upstream, send } = over.pair
  addChannelOf('chat', { name: 'OpenAI', models: ['gpt-5.4-mini'] })
  addChannelOf('messages', { name: 'Anthropic', models: ['claude-sonnet-5-5'] })
  addChannelOf('generate-content', { name: 'Google Gemini', models: ['gemini-3.8-flash'] })
  const names = [...new Set(calls.map(({ token }) => token))]
  const keys = Object.fromEntries(names.map((name) => [name, gateway.addToken({ name }).full]))
  for (const { token, path, body, reply } of calls) {
    upstream.script(reply)
    await send(path, {
      withoutKey: true,
      headers: { authorization: `Bearer ${keys[token]}`, 'anthropic-version': '2023-06-01' },
      body: {
        messages: path.startsWith('/v1/') ? [{ role: 'user', content: 'Hello' }] : undefined,
        ...body,
      },
    })
  }
})
afterAll(() => over?.close())

async function draw(page: Page, name: string): Promise<void> {
  const drawn = join(output, `${name}.png`)
  await page.screenshot({ path: drawn })
  expect(statSync(drawn).size).toBeLessThan(largest)
  if (!isUpdate) return
  mkdirSync(kept, { recursive: true })
  copyFileSync(drawn, join(kept, `${name}.png`))
}

test('the overview, light: every call of three tools at three vendors with its tokens', async () => {
  const { page, problems } = await over.open('/', { colorScheme: 'light' })
  const table = page.getByRole('table', { name: 'Calls' })
  await expect.poll(() => table.getByRole('row').count()).toBe(calls.length + 1)
  for (const { token } of calls) expect(await page.getByText(token).count()).toBeGreaterThan(0)
  await draw(page, 'overview-light')
  expect(problems).toEqual([])
})

const question = 'How do I call you from Python through the gateway?'
const answer = [
  'Point the official client at the gateway; **nothing else changes**:',
  '',
  '```python',
  'from openai import OpenAI',
  '',
  'client = OpenAI(base_url="http://127.0.0.1:4747/v1", api_key="sk-…")',
  'stream = client.chat.completions.create(',
  '    model="gpt-5.4-mini",',
  '    messages=[{"role": "user", "content": "Hello"}],',
  '    stream=True,',
  ')',
  '```',
  '',
  '| client | base URL |',
  '| --- | --- |',
  '| `openai` | `http://127.0.0.1:4747/v1` |',
  '| `anthropic` | `http://127.0.0.1:4747` |',
  '| `google-genai` | `http://127.0.0.1:4747` |',
].join('\n')

test('the playground, dark: a reply in Markdown with its tokens and times', async () => {
  const { page, problems } = await over.open('/playground', { colorScheme: 'dark' })
  const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
  const pieces = answer.match(/[\s\S]{1,12}/g) ?? []
  over.pair.upstream.script({
    chunks: [
      ...pieces.map((content) => event({ choices: [{ index: 0, delta: { content } }] })),
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      event({ choices: [], usage: { prompt_tokens: 19, completion_tokens: 148 } }),
      'data: [DONE]\n\n',
    ],
    delay: 320,
    pause: 8,
  })
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'gpt-5.4-mini' }).click()
  await page.getByLabel('Message').fill(question)
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article', { name: 'gpt-5.4-mini' })
  await page.getByRole('definition').filter({ hasText: /^148$/ }).waitFor()
  expect(await reply.getByRole('row').count()).toBe(4)
  await draw(page, 'playground-dark')
  expect(problems).toEqual([])
})
