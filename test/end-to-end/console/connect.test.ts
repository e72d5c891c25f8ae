import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'

let over: ConsoleOverHttp
const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
const settings = join(home, '.claude/settings.json')
const codex = join(home, '.codex/config.toml')
/** With the line ends, tabs and keys of its owner. */
const before = '{\r\n\t"theme": "dark",\r\n\t"permissions": { "allow": ["Bash(ls)"] }\r\n}\r\n'

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true, gateway: { env: { HOME: home } } })
  over.pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo', 'echo-mini'] })
})
beforeEach(() => {
  for (const [path, text] of [
    [settings, before],
    [codex, '# mine\nmodel = "gpt-5"\n[broken\n'],
  ] as const) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
})
afterAll(async () => {
  await over?.close()
  rmSync(home, { recursive: true, force: true })
})

const cardOf = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })

const environment = (): Record<string, string> => JSON.parse(readFileSync(settings, 'utf8')).env

test('a tool is connected, its first call is seen, and Undo gives its file back byte for byte', async () => {
  const { page, picture, problems } = await over.open('/connect')
  const { url } = over.pair.gateway
  const card = cardOf(page, 'Claude Code')
  await card.getByText('Not connected').waitFor()
  await page.getByRole('button', { name: 'Connect Claude Code…' }).click()
  const drawer = page.getByRole('dialog', { name: 'Connect Claude Code' })
  const change = drawer.getByRole('region', { name: `Changes of ${settings}` })
  await change.locator('ins').filter({ hasText: 'ANTHROPIC_BASE_URL' }).waitFor()
  await picture('connect-diff')
  expect(await axeFaults(page)).toEqual([])
  expect(readFileSync(settings, 'utf8')).toBe(before)

  await drawer.getByRole('button', { name: 'Apply' }).click()
  await drawer.getByText('Waiting for its first call…').waitFor()
  await picture('connect-waiting')
  const variables = environment()
  expect(variables.ANTHROPIC_BASE_URL).toBe(url)
  expect(await page.content()).not.toContain(variables.ANTHROPIC_AUTH_TOKEN)
  const answer = await fetch(`${variables.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${variables.ANTHROPIC_AUTH_TOKEN}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'user-agent': 'claude-cli/2.1.197 (external, cli)',
    },
    body: JSON.stringify({
      model: variables.ANTHROPIC_MODEL,
      max_tokens: 20,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  })
  expect(answer.status).toBe(200)
  await drawer.getByText(/^First call at/).waitFor()
  await picture('connect-called')
  expect(await axeFaults(page)).toEqual([])

  await drawer.getByRole('button', { name: 'Undo Claude Code' }).click()
  await card.getByText('Restored byte for byte.').waitFor()
  await card.getByText('Not connected').waitFor()
  expect(readFileSync(settings, 'utf8')).toBe(before)
  expect(problems).toEqual([])
})

test('a file that changes while its diff is looked at is not written', async () => {
  const { page, problemsBut } = await over.open('/connect?tool=claude-code')
  const drawer = page.getByRole('dialog', { name: 'Connect Claude Code' })
  const apply = drawer.getByRole('button', { name: 'Apply' })
  await apply.waitFor()
  const changed = before.replace('dark', 'light')
  writeFileSync(settings, changed)
  await apply.click()
  await drawer.getByRole('alert').waitFor()
  expect(readFileSync(settings, 'utf8')).toBe(changed)
  expect(problemsBut(/409/)).toEqual([])
})

test('a broken file is told of with its place, and offers no button that writes it', async () => {
  const { page, problems } = await over.open('/connect')
  const card = cardOf(page, 'Codex')
  await card.getByText('Invalid file').waitFor()
  expect(await card.textContent()).toMatch(/line 3/)
  await card.getByRole('button', { name: 'Show text to paste for Codex' }).click()
  await page.getByRole('dialog', { name: 'Connect Codex' }).getByRole('tablist').waitFor()
  expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)
  expect(problems).toEqual([])
})

test('in Chinese a tool’s drawer fits its window', async () => {
  const { page, picture } = await over.open('/connect?tool=claude-code', { locale: 'zh-CN' })
  await page.locator('ins').first().waitFor()
  await picture('connect-chinese')
  expect(await pageFaults(page)).toEqual([])
})
