import { afterAll, beforeAll, expect, test } from 'vitest'
import { claudeCodeHeaders } from '../../support/agent-requests/claude-code.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { lookFaults } from '../../support/pages/looks.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { agentVendor } from '../../support/upstreams/agent-vendor.ts'

const MODEL = 'claude-opus-5'
const mark = { cache_control: { type: 'ephemeral' } }
const LONG = 'Take care of the files, and keep to the style of the project. '.repeat(150)

let over: ConsoleOverHttp

const bash = {
  ...{ name: 'Bash', description: 'Runs a command.' },
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
}

const asked = [
  { type: 'text', text: '<system-reminder>\nThe list of tasks is empty.\n</system-reminder>' },
  { type: 'text', text: 'Why does the build fail on Node 20? Fix it, and say what it was.' },
]

const turns = (count: number) => [
  { role: 'user', content: asked },
  ...Array.from({ length: count - 1 }, (_, index) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'First I look at the files.', signature: 'EqQBCkYIBxgCKkBq' },
        { type: 'text', text: 'I look at the files.' },
        { type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: { command: 'echo hi' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: 'hi', ...mark }],
    },
  ]).flat(),
]

const body = (count: number) => ({
  ...{ model: MODEL, max_tokens: 1000, tools: [bash] },
  system: [
    { type: 'text', text: 'You are an agent.' },
    { type: 'text', text: `It is 2026-11-23T10:0${count}:12Z.\n${LONG}`, ...mark },
  ],
  messages: turns(count),
})

beforeAll(async () => {
  over = await startConsoleOverHttp({ handler: agentVendor(), empty: true })
  const { addChannelOf, send } = over.pair
  addChannelOf('messages', { name: 'Anthropic', models: [MODEL, 'claude-haiku-4-5'] })
  addChannelOf('chat', { name: 'OpenAI', models: ['gpt-5'] })
  const say = (given: object, headers = {}) =>
    send('/v1/messages', { body: given, headers: { ...claudeCodeHeaders, ...headers } })
  await say({ ...body(1), model: 'claude-haiku-4-5', tools: [], system: 'Write a title.' })
  for (const count of [1, 2, 3]) await say(body(count))
  await say(body(1), { 'x-claude-code-agent-id': 'agent-7f3a' })
  const messages: object[] = [{ role: 'user', content: 'Which of these names is the clearest?' }]
  for (let round = 0; round < 3; round++) {
    await send('/v1/chat/completions', { body: { model: 'gpt-5', messages } })
    messages.push({ role: 'assistant', content: 'Done: hi.' }, { role: 'user', content: 'Go on.' })
  }
})
afterAll(() => over?.close())

test('by keyboard alone a session is opened from Calls, its tools unfolded, and left again', async () => {
  const { page, picture, problems } = await over.open('/calls')
  await page.getByRole('link', { name: 'Sessions', exact: true }).focus()
  await page.keyboard.press('Enter')
  const title = 'Why does the build fail on Node 20? Fix it, and say what it was.'
  await page.getByRole('link', { name: title }).focus()
  await picture('sessions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  const summary = page.getByText(/of input was re-sent uncached; the prompt changes/)
  expect(await summary.textContent()).toMatch(
    /^\d+(?:\.\d)?% of input was re-sent uncached; the prompt changes in every call at system\[1\]\.text: a timestamp\.$/,
  )
  const tool = page.locator('summary', { hasText: 'Bash' }).first()
  await tool.focus()
  await page.keyboard.press('Enter')
  await page.locator('pre', { hasText: /^hi$/ }).first().waitFor()
  // Said once, in the title's, the agent's and the sub-agent's first call; later calls don't repeat it.
  expect(await page.locator('ol li', { hasText: 'Why does the build fail' }).count()).toBe(3)
  expect(await page.getByText('Sub-agent', { exact: true }).count()).toBe(1)
  expect(await page.getByText('Background', { exact: true }).count()).toBe(1)
  await picture('session')
  await page.getByRole('link', { name: 'Open call 3' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^claude-code:/ }).waitFor()
  expect(problems).toEqual([])
})

test.each(['en-US', 'zh-CN'])('nothing is cut off or left untranslated: %s', async (locale) => {
  const watched = await over.open('/calls/sessions', { locale })
  const { page } = watched
  await page.locator('tbody tr').nth(1).waitFor()
  expect(await pageFaults(page)).toEqual([])
  await page.locator('tbody a', { hasText: 'Node 20' }).click()
  await page.locator('ol li').nth(4).waitFor()
  await page.getByText('system[1].text').first().waitFor()
  await page.locator('ol summary').first().click()
  const isEnglish = locale === 'en-US'
  expect(isEnglish ? await lookFaults(watched, 'session') : await pageFaults(page)).toEqual([])
})

test('in a narrow window the fifth figure fills its row', async () => {
  const { page } = await over.open('/calls/sessions', { viewport: { width: 400, height: 800 } })
  await page.getByRole('link', { name: /^Why does the build fail/ }).click()
  const figures = page.locator('dl[data-even]')
  await figures.waitFor()
  const [all, last] = await figures.evaluate((list) =>
    [list, list.lastElementChild].map((one) => one?.getBoundingClientRect().width ?? 0),
  )
  expect((all ?? 0) - (last ?? 0)).toBeLessThan(3)
})

test('a diagnosis without a table has one line at its end', async () => {
  const { page } = await over.open('/calls/sessions')
  await page.getByRole('link', { name: /^Which of these names/ }).click()
  await page.getByText(/^(?:Hardly any|Almost all)/).waitFor()
  const head = page.getByRole('heading', { name: 'Cache doctor' }).locator('xpath=../..')
  expect(await head.evaluate((one) => getComputedStyle(one).borderBottomWidth)).toBe('0px')
})
