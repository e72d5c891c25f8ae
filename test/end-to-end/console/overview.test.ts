import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'

let over: ConsoleOverHttp

const name = 'A vendor account with quite a long name, as people paste them into the field'
const model = 'vendor/a-model-with-quite-a-long-name-and-a-date-2026-11-24'

beforeAll(async () => {
  over = await startConsoleOverHttp({
    empty: true,
    handler: () => ({
      body: readFixture('openai-chat/text.json'),
      headers: { 'content-type': 'application/json' },
    }),
  })
  over.pair.addChannelOf('chat', { name, key: 'sk-vendor', models: [model] })
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
  for (let call = 0; call < 3; call++) await over.pair.send('/v1/chat/completions', { body })
})
afterAll(() => over?.close())

test('it says what is, and no column is pushed out of its panel', async () => {
  const { page, problems } = await over.open('/')
  await page.getByRole('list', { name: 'Channels' }).getByText('3 calls').waitFor()
  const calls = page.getByRole('table', { name: 'Calls' })
  await expect.poll(() => calls.getByRole('row').count()).toBe(4)
  await page.getByRole('table', { name: 'Cost' }).getByText('Total').waitFor()
  // No column is pushed out of its panel.
  for (const width of [400, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const table of await page.getByRole('table').all()) {
      const hidden = await table.evaluate(
        (element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0),
      )
      expect(hidden).toBeLessThanOrEqual(0)
    }
  }

  await page.getByRole('button', { name: /^Health, running/ }).click()
  const health = page.getByRole('dialog')
  await health.getByRole('button', { name: 'Details' }).click()
  await health.getByText('Event loop p99').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => health.count()).toBe(0)
  expect(problems).toEqual([])
})
