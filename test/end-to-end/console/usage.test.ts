import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unixSeconds } from '../../../main/base/clock.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
  const { parts, addChannel } = over.pair.gateway
  const channel = addChannel({ name: 'Work', models: ['gpt-4.1', 'local'] })
  const call = (model: string, fields: { quota?: number; isUnpriced?: boolean; days?: number }) => {
    const { quota = 0, isUnpriced = false, days = 0 } = fields
    parts.ledger.record({
      requestId: `${model} ${quota} ${days}`,
      createdAt: unixSeconds() - days * 86_400,
      type: 2,
      userId: 1,
      username: 'owner',
      tokenId: 0,
      tokenName: '',
      channelId: channel.id,
      channelName: 'Work',
      model,
      group: 'default',
      ip: '127.0.0.1',
      content: '',
      quota,
      promptTokens: 1000,
      completionTokens: 100,
      useTime: 10,
      isStream: false,
      status: 200,
      other: '{}',
      cachedTokens: 250,
      isUnpriced,
      isEstimated: false,
    })
  }
  call('gpt-4.1', { quota: 750_000 })
  call('gpt-4.1', { quota: 500_000, days: 20 })
  call('local', { isUnpriced: true })
  // Of one quota unit, the least that a call can cost.
  call('small', { quota: 1, days: 60 })
})
afterAll(() => over?.close())

test('bars, sums and the saved file show the same use, and unpriced calls are no $0', async () => {
  const { page, picture, problems } = await over.open('/usage')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('gpt-4.1').getByText('$1.50').waitFor()
  await row('local').getByText('unpriced').waitFor()
  await row('gpt-4.1').getByText('25%').waitFor()
  const bars = page.locator('.recharts-bar-rectangle path')
  await bars.first().waitFor()
  expect(await bars.first().evaluate((bar) => getComputedStyle(bar).fill)).toBe('rgb(79, 98, 224)')
  await picture('usage-week')

  await page.getByText('30 days', { exact: true }).click()
  await row('gpt-4.1').getByText('$2.50').waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^usage-by-model-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines.filter((line) => line.endsWith(',1.5,0'))).toHaveLength(1)
  expect(lines.find((line) => line.includes(',local,'))).toMatch(/,1,0,1,1000,100,250,,0$/)
  expect(problems).toEqual([])
})

test('the split and the range stay after a reload; calls of the console have a name', async () => {
  const { page, problems } = await over.open('/usage')
  await page.getByText('By token', { exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'Playground and tests' }).waitFor()
  await page.getByText('Custom', { exact: true }).click()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-02')
  await page.getByText('No calls in this range').waitFor()
  await page.reload()
  await page.getByText('No calls in this range').waitFor()
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01')
  expect(problems).toEqual([])
})

test('the chart’s library comes only with the page that draws', async () => {
  const { page } = await over.open('/connect/tokens')
  await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor()
  const scripts = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('usage-chart')),
    )
  expect(await scripts()).toEqual([])
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.locator('.recharts-surface').first().waitFor()
  expect((await scripts()).length).toBeGreaterThan(0)
})

test('switched off by the owner, the page says so', async () => {
  over.pair.gateway.set({ DataExportEnabled: false })
  const { page, picture, problemsBut } = await over.open('/usage')
  await page.getByText('Usage charts are off').waitFor()
  await page.getByRole('link', { name: 'Open settings' }).waitFor()
  await picture('usage-off')
  over.pair.gateway.set({ DataExportEnabled: true })
  expect(problemsBut(/Failed to load resource/)).toEqual([])
})

test('the axis of the smallest costs is whole, and no two of its ticks tell the same', async () => {
  const day = new Date(Date.now() - 60 * 86_400_000)
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const { page, problems } = await over.open(`/usage?range=own&from=${date}&to=${date}`)
  const ticks = page.locator('.recharts-cartesian-axis-tick-value').filter({ hasText: '$' })
  await ticks.first().waitFor()
  const texts = await ticks.allTextContents()
  expect(texts.at(-1)).toBe('$0.000002')
  expect(new Set(texts).size).toBe(texts.length)
  const left = (await page.locator('.recharts-surface').first().boundingBox())?.x ?? Infinity
  for (const tick of await ticks.all())
    expect((await tick.boundingBox())?.x).toBeGreaterThanOrEqual(left)
  expect(problems).toEqual([])
})
