import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Desktop,
  desktopRanOn,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { drawPage } from '../support/pages/draw-page.ts'
import { firstPlace, firstWalk } from '../support/pages/first-walk.ts'

const output = fileURLToPath(new URL('../output/', import.meta.url))
const folder = temporaryFolder()
const problems: string[] = []
let desktop: Desktop
let page: Page

beforeAll(async () => {
  console.log(desktopRanOn)
  mkdirSync(output, { recursive: true })
  // For the closing lines of npm test.
  writeFileSync(`${output}desktop-host.txt`, desktopRanOn)
  desktop = await launchDesktop({ folder: folder.path })
  page = await desktop.page()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

const picture = (name: string) => drawPage(page, `desktop-${name}`)

test('a first run in the desktop: owner without a password, Echo, token, a reply, its call', async () => {
  await page.getByLabel('User name').fill('me')
  await picture('1-owner')
  await page.getByRole('button', { name: 'Create owner' }).click()

  await page.getByRole('heading', { name: 'Where do answers come from?' }).waitFor()
  await picture('2-channel')
  await page.getByRole('button', { name: /Echo/ }).click()

  await page.getByRole('heading', { name: 'Connect your tools' }).waitFor()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('region', { name: 'Address', exact: true }).waitFor()
  await picture('3-token')
  const key = /sk-[A-Za-z0-9]{48}/.exec((await page.textContent('body')) ?? '')?.[0]
  expect(key).toBeDefined()

  await page.getByRole('link', { name: 'Try it in the playground' }).click()
  await page.getByLabel('Message').fill('Good morning from the desktop')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article').last()
  await reply.getByText('Good morning from the desktop').waitFor()
  await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false')
  await picture('4-reply')

  await page.getByRole('link', { name: 'Calls' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Echo' })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(1)
  await picture('5-calls')

  // A tool that calls over HTTP shows up in the open list by itself: the gateway pushes it.
  const server = await page.evaluate(() => window.switchyard?.call('server.get', {}))
  const models = await page.evaluate(() => window.switchyard?.call('user.models', {}))
  const { url } = (server as { data: { url: string } }).data
  const [model] = (models as { data: string[] }).data
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'from a tool' }] }),
  })
  expect(answer.status).toBe(200)
  await expect.poll(() => rows.count()).toBe(2)

  // Until the owner has a password the management API is closed over HTTP.
  expect((await fetch(`${url}/api/channel/`)).status).toBe(403)

  await page.reload()
  await rows.first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/calls')
  expect(problems).toEqual([])
})

test('a first walk in the desktop: a vendor with a key that is wrong and then right, a tool, its first call', async () => {
  const place = await firstPlace()
  const own = temporaryFolder()
  onTestFinished(own.remove)
  const env = { HOME: place.home, USERPROFILE: place.home, XDG_CONFIG_HOME: '' }
  const began = Date.now()
  const started = await launchDesktop({ folder: own.path, env })
  onTestFinished(() => started.close())
  const first = await started.page()
  const clicks = await firstWalk(first, place, {
    look: (stop) => drawPage(first, `desktop-walk-${stop}`),
  })
  console.log(`first walk in the desktop: ${Date.now() - began} ms, ${clicks.join(' · ')}`)
  expect(clicks).toHaveLength(8)
})
