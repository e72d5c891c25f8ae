import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'
import { lookFaults } from '../../support/pages/looks.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const ending = [
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 40, completion_tokens: 80, total_tokens: 120 } })}\n\n`,
  'data: [DONE]\n\n',
]

const streamed = (...words: string[]) => ({
  chunks: [...words.map(piece), ...ending],
  pause: 40,
})

const body = {
  model: modelOf.chat,
  stream: true,
  messages: [{ role: 'user', content: 'Describe the fox.' }],
}

const sendCall = () => over.pair.send('/v1/chat/completions', { body })

test('a call is opened, replayed by keyboard alone on another channel, and compared', async () => {
  const other = over.pair.addChannelOf('chat', { name: 'Second vendor', models: ['chat-pro'] })
  over.pair.upstream.script(streamed('A red fox', ' runs.'))
  const { id } = await sendCall()
  const { page, picture, problems } = await over.open(`/calls?open=${id}`)
  await page
    .getByRole('link', { name: /^Replay/ })
    .first()
    .waitFor()
  await page.getByText(id).first().waitFor()
  await page.keyboard.press('r')
  const column = page.getByRole('region', { name: 'Replay 1' })
  const original = page.getByRole('region', { name: 'Original' })
  await original.getByText('A red fox runs.').waitFor()

  await column.getByRole('combobox', { name: 'Channel' }).focus()
  await page.keyboard.type('Second')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  while ((await page.evaluate(() => document.activeElement?.getAttribute('role'))) !== 'combobox') {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('chat-pro')
  await page.keyboard.press('Escape')
  await column.getByLabel('Request body (JSON)').focus()
  over.pair.upstream.script(streamed('A blue fox', ' runs', ' far.'))
  await page.keyboard.press('Control+Enter')
  await column.locator('ins', { hasText: 'blue' }).waitFor()
  await column.locator('del', { hasText: 'red' }).waitFor()
  await column.getByText('Second vendor').first().waitFor()
  expect(over.pair.upstream.last().json()).toEqual({
    ...body,
    model: 'chat-pro',
    stream_options: { include_usage: true },
  })
  const figure = (term: string) =>
    column.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('+ dd')
  await expect.poll(() => figure('Output').textContent()).toBe('80')
  expect(await figure('Time to first token').textContent()).toMatch(/^\d/)
  expect(await figure('Output rate').textContent()).toMatch(/^[\d,.]+ tokens\/s$/)
  await picture('replay')

  const row = over.pair.gateway.rows()[0]
  expect(row).toMatchObject({ tokenName: 'replay', channelId: other.id, model: 'chat-pro' })
  expect(JSON.parse(row?.other ?? '{}').replay_of).toBe(id)
  await column.getByRole('link', { name: 'Open call' }).click()
  await page
    .getByText(row?.requestId ?? '')
    .first()
    .waitFor()
  expect(problems).toEqual([])
})

test('a refusal shows at the line of its field, and nothing that was typed is lost', async () => {
  over.pair.upstream.script(streamed('Hello'))
  const { id } = await sendCall()
  const { page, picture, problemsBut } = await over.open(`/calls/replay/${id}`)
  const column = page.getByRole('region', { name: 'Replay 1' })
  const field = column.getByLabel('Request body (JSON)')
  const typed = '{\n  "model": "chat-model",\n  "messages": [\n    7\n  ]\n}'
  await field.fill(typed)
  await column.getByRole('button', { name: 'Send' }).click()
  await column.getByText(/^Line 4, column 5: messages\[0\]: must be an object/).waitFor()
  expect(await field.inputValue()).toBe(typed)
  await column.getByRole('button', { name: 'Go to line 4' }).click()
  expect(await field.evaluate((area) => (area as HTMLTextAreaElement).selectionStart)).toBe(
    typed.indexOf('    7'),
  )
  await picture('replay-refused')
  expect(problemsBut(/status of 400/)).toEqual([])
})

test('the newest failures are replayed as a table, and Cancel ends what is under way', async () => {
  const refusal = { status: 400, body: { error: { message: 'The tool "x" is unknown.' } } }
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    over.pair.upstream.script(refusal)
    ids.push((await sendCall()).id)
  }
  const { page, picture, problems } = await over.open('/calls/replay')
  const done = streamed('Now it works.')
  over.pair.upstream.script(done, done, refusal, { chunks: [piece('Half')], ending: 'hang' })
  over.pair.upstream.script({ chunks: [piece('Half')], ending: 'hang' })
  const replayAll = page.getByRole('button', { name: /^Replay \d+ calls$/ })
  await replayAll.click()
  await expect.poll(() => page.getByText('answered').count()).toBe(2)
  await expect.poll(() => page.getByText('Sending…', { exact: true }).count()).toBe(2)
  await picture('replay-failures')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByText('Cancelled', { exact: true }).count()).toBe(2)
  const replays = over.pair.gateway.rows().filter(({ tokenName }) => tokenName === 'replay')
  const originals = replays.map(({ other }) => JSON.parse(other).replay_of)
  for (const id of ids.slice(2)) expect(originals).toContain(id)
  await expect
    .poll(() => over.pair.gateway.rows().filter(({ status }) => status === 499).length)
    .toBe(2)
  expect(problems.filter((problem) => !/status of 400/.test(problem))).toEqual([])
})

test('a replay with its diff fits and has no fault, light and dark', async () => {
  over.pair.upstream.script(streamed('A red fox'))
  const { id } = await sendCall()
  const watched = await over.open(`/calls/replay/${id}`)
  const { page, problems } = watched
  const column = page.getByRole('region', { name: 'Replay 1' })
  over.pair.upstream.script(streamed('A blue fox'))
  await column.getByRole('button', { name: 'Send' }).click()
  await column.locator('ins', { hasText: 'blue' }).waitFor()
  await column.getByLabel('Request body (JSON)').fill('{"model": 1,}')
  await column.getByText(/^Line 1, column 13/).waitFor()
  expect(await lookFaults(watched, 'replay', 'main')).toEqual([])
  expect(problems).toEqual([])
})
