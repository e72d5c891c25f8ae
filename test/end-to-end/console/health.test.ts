import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { lookFaults } from '../../support/pages/looks.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'

let over: ConsoleOverHttp

const busyKey = 'sk-of-the-busy-vendor'
const sentence = 'Rate limit reached for model-a in organization org-1.'
const good = {
  body: readFixture('openai-chat/text.json'),
  headers: { 'content-type': 'application/json' },
}
const body = { model: 'model-a', messages: [{ role: 'user', content: 'Hello' }] }
const ask = () => over.pair.send('/v1/chat/completions', { body })

beforeAll(async () => {
  over = await startConsoleOverHttp({
    empty: true,
    handler: (request) =>
      request.headers.authorization === `Bearer ${busyKey}`
        ? {
            status: 429,
            headers: { 'retry-after': '600' },
            body: { error: { message: sentence, code: 'rate_limit_exceeded' } },
          }
        : good,
  })
  const { addChannelOf } = over.pair
  const models = ['model-a']
  addChannelOf('chat', { name: 'Busy vendor', key: busyKey, priority: 10, models })
  addChannelOf('chat', { name: 'Calm vendor', key: 'sk-of-the-calm-vendor', models })
  addChannelOf('messages', { name: 'Other format', key: 'sk-third', priority: -5, models })
})
afterAll(() => over?.close())

const cooldownOf = (page: Page) =>
  page
    .getByRole('row')
    .filter({ hasText: 'Busy vendor' })
    .getByText(/^cooling down/)

test('a call that one vendor refused and another answered tells why it went where it did', async () => {
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(200)
  const { page, picture, problems } = await over.open('/calls')
  const rows = page.locator('tr[data-row]')
  await rows.last().getByRole('gridcell').first().click()
  await page.getByRole('tab', { name: 'Route' }).click()
  const route = page.getByRole('region', { name: 'Why this channel' })
  const tries = route.getByRole('list').first().getByRole('listitem')
  await tries.first().getByText(sentence).waitFor()
  expect(await tries.first().textContent()).toContain('429')
  expect(await tries.first().textContent()).toContain('The next channel was tried.')
  expect(await tries.last().textContent()).toContain('Calm vendor')
  await picture('health-why-first')

  await rows.first().getByRole('gridcell').first().click()
  await route.getByText(/rate-limited by the vendor until/).waitFor()
  expect(await tries.count()).toBe(1)
  await picture('health-why-second')
  expect(await pageFaults(page)).toEqual([])
  expect(problems).toEqual([])
})

test('the channel counts its cooldown down, and ends it when told to', async () => {
  const { page, picture, problems } = await over.open('/channels')
  const badge = cooldownOf(page)
  await badge.waitFor()
  const before = await badge.textContent()
  expect(before).toMatch(/^cooling down · (9:\d\d|10:00)$/)
  await expect.poll(() => badge.textContent()).not.toBe(before)
  await picture('health-channels')
  await page.getByRole('button', { name: 'Busy vendor', exact: true }).click()
  await page.getByRole('region', { name: 'Health' }).waitFor()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await picture('health-channel-drawer')
  await page.getByLabel('Proxy', { exact: true }).scrollIntoViewIfNeeded()
  await picture('health-channel-connection')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'More actions for Busy vendor' }).click()
  await page.getByRole('menuitem', { name: 'Try again now' }).click()
  await page.getByText('Calls can use it again.').waitFor()
  await expect.poll(() => badge.count()).toBe(0)
  const asked = over.pair.upstream.requests.length
  await ask()
  expect(over.pair.upstream.requests.length - asked).toBe(2)
  // The page hears of the new cooldown by itself.
  await badge.waitFor()
  expect(problems).toEqual([])
})

test('the health page shows the gateway and its channels, and saves a bundle without any key', async () => {
  const { page, picture, problems } = await over.open('/health')
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText('Event loop p99').waitFor()
  await cooldownOf(page).waitFor()
  await picture('health-page')
  await page.getByRole('button', { name: 'Save diagnostic bundle' }).click()
  await page.getByText(/without keys, passwords/).waitFor()
  await picture('health-bundle')
  const saving = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^switchyard-diagnostics-.*\.json$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ channels: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  for (const secret of [busyKey, over.pair.gateway.key.slice(3)]) expect(text).not.toContain(secret)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Try again now: Busy vendor' }).click()
  await expect.poll(() => cooldownOf(page).count()).toBe(0)
  expect(problems).toEqual([])
})

test('a channel that the gateway switched off is told of on every page until it is put away', async () => {
  const off = over.pair.addChannelOf('chat', {
    name: 'Refused vendor',
    status: 3,
    otherInfo: '{"status_reason":"The key was refused.","status_time":1795000000}',
    models: ['model-b'],
  })
  const { page, picture, problems } = await over.open('/connect/tokens')
  const banner = page.getByRole('status').filter({ hasText: 'Refused vendor' })
  await banner.waitFor()
  await picture('health-banner')
  await banner.getByRole('link').click()
  await page.getByText('Works, with problems').waitFor()
  expect(await banner.count()).toBe(1)
  await page.getByRole('row').nth(1).getByText('The key was refused.').waitFor()
  await picture('health-page-warning')
  await page.goBack()
  await banner.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect(await banner.count()).toBe(0)
  over.pair.gateway.parts.channels.remove([off.id])
  expect(problems).toEqual([])
})

test('what a token may ask for in a minute is set and taken away in its form', async () => {
  const { page, picture, problems } = await over.open('/connect/tokens')
  await page.getByRole('button', { name: 'test', exact: true }).click()
  await page.getByLabel('Requests per minute').fill('60')
  await page.getByLabel('Tokens per minute').fill('250000')
  await picture('health-token-form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('60 requests/min').waitFor()
  await page.getByText('250,000 tokens/min').waitFor()
  await picture('health-token-row')
  // The form that is opened again begins with what was saved.
  await page.getByRole('button', { name: 'test', exact: true }).click()
  const requests = page.getByLabel('Requests per minute')
  await expect.poll(() => requests.inputValue()).toBe('60')
  await requests.fill('')
  await page.getByLabel('Tokens per minute').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByText('requests/min').count()).toBe(0)
  expect(problems).toEqual([])
})

test('what tells of failures fits its window and has no fault, light and dark', async () => {
  await ask()
  const watched = await over.open('/')
  const { page, problems } = watched
  for (const path of ['calls', 'health']) {
    await page.evaluate((to) => history.pushState(null, '', to), `/console/${path}`)
    await page.locator('h1').first().waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    if (path === 'calls') await page.locator('tr[data-row] td').first().click()
    expect(await lookFaults(watched, `health-${path.replace(/\W/g, '-')}`), path).toEqual([])
  }
  expect(problems).toEqual([])
})
