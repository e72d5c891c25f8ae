import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../../support/pages/browser.ts'
import { type WatchedPage, watchedPage } from '../../support/pages/watched-page.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'switchyard-first-run-'))
const password = 'correct horse'
let gateway: ChildProcess
let url: string
let browser: TestBrowser
let opened: WatchedPage
let page: Page

/** The built headless gateway as `npm run gateway` runs it, with nothing in its data folder. */
async function startBuiltGateway(): Promise<string> {
  const flags = ['--port', '0', '--data-dir', join(folder, 'data')]
  gateway = spawn(process.execPath, [join(root, 'dist/main/headless.js'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!gateway.stdout) throw new Error('The gateway has no stdout')
  const [line] = (await once(createInterface({ input: gateway.stdout }), 'line')) as [string]
  return line.replace('Switchyard is ready at ', '')
}

beforeAll(async () => {
  const started = await Promise.all([startBuiltGateway(), launchBrowser()])
  url = started[0]
  browser = started[1]
  opened = await watchedPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  page = opened.page
})

afterAll(async () => {
  await browser?.close()
  if (gateway?.exitCode === null) {
    gateway.kill('SIGTERM')
    await once(gateway, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

const message = [
  'the trains of today:',
  '',
  '| track | bound for |',
  '| --- | --- |',
  '| 1 | **chat** |',
  '| 2 | `messages` |',
].join('\n')

test('a first run in the browser: owner, Echo, token, a reply, its call, out and in again', async () => {
  // With an empty data folder every page leads to the first run.
  await page.goto(`${url}/console/playground`)
  await page.getByRole('heading', { name: 'Who owns this gateway?' }).waitFor()
  await page.getByLabel('User name').fill('me')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password again').fill('correct house')
  await page.getByRole('button', { name: 'Create owner' }).click()
  await page.getByText('The passwords do not match.').waitFor()
  await opened.picture('first-run-1-owner-refused')
  expect(await page.getByLabel('User name').inputValue()).toBe('me')
  await page.getByLabel('Password again').fill(password)
  await page.getByRole('button', { name: 'Create owner' }).click()

  await page.getByRole('heading', { name: 'Where do answers come from?' }).waitFor()
  await opened.picture('first-run-2-channel')
  await page.getByRole('button', { name: 'Use Echo' }).click()

  await page.getByRole('heading', { name: 'Connect your tools' }).waitFor()
  await opened.picture('first-run-3-token')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('region', { name: 'Address', exact: true }).waitFor()
  const key = (await page.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? ''
  expect(key).toMatch(/^sk-\w{48}$/)
  for (const tool of ['Claude Code', 'Gemini CLI', 'OpenCode', 'cURL']) {
    await page.getByRole('tab', { name: tool }).click()
    const command = await page.getByRole('region', { name: `Command for ${tool}` }).textContent()
    expect(command).toContain(url)
    expect(command).toContain(key)
  }
  // The command does what it promises, as it was copied.
  await page.getByRole('button', { name: 'Copy: Command for cURL' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(JSON.parse(stdout).choices[0].message.content).toBe('Echo: Hello')
  await page.getByRole('tab', { name: 'Claude Code' }).click()
  await opened.picture('first-run-4-ready')

  await page.getByRole('link', { name: 'Try it in the playground' }).click()
  await page.getByLabel('Message').fill(message)
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article').last()
  await page.getByRole('link', { name: 'Open in inspector' }).waitFor()
  expect(await reply.getAttribute('aria-busy')).toBe('false')
  expect(await reply.getByRole('row').count()).toBe(3)
  expect(await reply.locator('strong').textContent()).toBe('chat')
  const figures = (await page.getByRole('definition').allTextContents()).join(' | ')
  expect(figures).toMatch(/^[\d.]+\s?m?s \| .+ \| ≈? ?\d+ \| ≈? ?\d+ \| .+ \| Echo$/)
  await opened.picture('first-run-5-reply')

  await page.getByRole('link', { name: 'Calls' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Echo' })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(2)
  expect(await rows.first().textContent()).toContain('playground')
  expect(await rows.last().textContent()).toContain('my first token')
  await rows.first().getByRole('gridcell').first().click()
  await page.getByText('/v1/chat/completions', { exact: true }).waitFor()
  await opened.picture('first-run-6-calls')

  await page.reload()
  await rows.first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/calls')
  expect(opened.problemsBut(/status of 400/)).toEqual([])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Switchyard' }).waitFor()
  await page.getByLabel('User name').fill('me')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await opened.picture('first-run-7-login-refused')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await rows.first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/calls')
  expect(opened.problemsBut(/status of 40[01]/)).toEqual([])
}, 90_000)
