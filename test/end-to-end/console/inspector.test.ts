import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addInspectedChannels,
  type InspectedCalls,
  inspectedVendor,
  makeInspectedCalls,
} from '../../support/captures/inspected-calls.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'

let over: ConsoleOverHttp
let ids: InspectedCalls

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true, handler: inspectedVendor })
  addInspectedChannels(over.pair)
  ids = await makeInspectedCalls(over.pair)
})
afterAll(() => over?.close())

const tall = { viewport: { width: 1280, height: 1500 } }

type OpenOptions = Parameters<ConsoleOverHttp['open']>[1]

async function openCall(id: string, options: OpenOptions = tall) {
  const opened = await over.open(`/calls?open=${id}`, options)
  await opened.page.getByRole('tablist').waitFor()
  return opened
}

const openTab = async (page: Page, name: string) => {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

test('a converted stream tells its pauses, its loss, and which events became which', async () => {
  const { page, picture, problems } = await openCall(ids.converted)
  await openTab(page, 'Timeline')
  const attempt = page.getByRole('region', { name: 'Attempt 1: Thinking vendor' })
  await attempt.getByText('Pause').first().waitFor()
  expect(await attempt.getByText('Pause').count()).toBe(2)
  await picture('inspector-timeline')

  await openTab(page, 'Request')
  await page.getByText('this upstream has no such field').first().waitFor()
  await picture('inspector-request')
  await page.getByText('Differences', { exact: true }).click()
  const losses = page.getByRole('list', { name: 'Differences' })
  await losses.getByRole('listitem').filter({ hasText: 'seed' }).getByText('dropped').waitFor()
  await picture('inspector-differences')

  await openTab(page, 'Answer')
  await page.getByText(/Here are the basic steps/).waitFor()
  await page.getByText(/^Reasoning · /).click()
  await page.getByText(/pedestrian safety/).waitFor()
  await picture('inspector-answer')

  await openTab(page, 'Stream')
  const upstream = page.getByRole('listbox', { name: 'Upstream events' })
  const client = page.getByRole('listbox', { name: 'Client events' })
  await upstream.focus()
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowDown')
  await page.getByText(/^became client event/).waitFor()
  expect(await client.locator('[data-linked]').count()).toBeGreaterThan(0)
  await picture('inspector-stream')
  await page.keyboard.press('ArrowRight')
  await page.getByText(/^came from upstream event/).waitFor()
  expect(await client.evaluate((list) => list === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  const slider = page.getByRole('slider', { name: 'Time' })
  await expect
    .poll(async () => Number(await slider.getAttribute('aria-valuenow')))
    .toBeLessThan(1500)
  await picture('inspector-playing')
  await page.getByRole('button', { name: 'Play at 8×' }).click()
  await expect
    .poll(async () => Number(await slider.getAttribute('aria-valuenow')))
    .toBeGreaterThan(2000)

  await openTab(page, 'Other formats')
  await page.getByRole('tree', { name: 'messages' }).waitFor()
  await picture('inspector-formats')
  expect(problems).toEqual([])
})

test('a failover shows both attempts, and each one’s headers', async () => {
  const { page, picture, problems } = await openCall(ids.failover)
  await page.getByRole('region', { name: 'Attempt 1: Busy vendor' }).getByText('429').waitFor()
  await page.getByRole('region', { name: 'Attempt 2: Calm vendor' }).getByText('200').waitFor()
  await picture('inspector-failover')
  await openTab(page, 'Headers')
  await page.getByText('1. Busy vendor · 429').click()
  await page.getByRole('table', { name: 'Upstream answer 1' }).getByText('content-type').waitFor()
  expect(await page.locator('main').textContent()).not.toContain('sk-of-the-busy-vendor')
  await picture('inspector-headers')
  expect(problems).toEqual([])
})

test('an image in a request is drawn, and bytes are shown in hex', async () => {
  const { page, picture, problems } = await openCall(ids.image)
  await openTab(page, 'Request')
  const drawn = page.getByRole('img', { name: 'messages[0].content[1].image_url.url' }).first()
  await expect
    .poll(() => drawn.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(48)
  await picture('inspector-image')
  await page.goto(`${over.pair.gateway.url}/console/calls?open=${ids.speech}`)
  await openTab(page, 'Answer')
  await page.getByText('Raw', { exact: true }).click()
  await page.getByRole('group', { name: 'Bytes: Upstream answer 1' }).getByText('.PNG').waitFor()
  await picture('inspector-bytes')
  expect(problems).toEqual([])
})

test('a refused call shows what the client sent and got', async () => {
  const { page, picture, problems } = await openCall(ids.unknown)
  await openTab(page, 'Request')
  await page.getByText('No upstream was called.').waitFor()
  await page.getByRole('tree', { name: 'Client request' }).getByText('"unheard-of"').waitFor()
  await picture('inspector-refused')
  await openTab(page, 'Answer')
  await page
    .getByText(/unheard-of/)
    .last()
    .waitFor()
  await picture('inspector-refused-answer')
  expect(problems).toEqual([])
})

test('a call is copied as a command and saved as an archive', async () => {
  const { page, context, problems } = await openCall(ids.failover)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('menuitem', { name: 'cURL (bash)' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain('$SWITCHYARD_TOKEN')
  await page.getByRole('button', { name: /^Cop(?:y as|ied)$/ }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as HAR' }).click()
  expect((await saving).suggestedFilename()).toMatch(/\.har$/)
  expect(problems).toEqual([])
})

const tabs = ['Timeline', 'Request', 'Answer', 'Stream', 'Headers', 'Other formats']

test.each([
  { name: 'chinese', options: { ...tall, locale: 'zh-CN' } },
  { name: 'wide', options: { viewport: { width: 1920, height: 1400 } } },
] as const)('$name: the tabs fit their window', async ({ name, options }) => {
  const { page, picture, problems } = await openCall(ids.converted, options)
  for (let index = 0; index < tabs.length; index++) {
    await page.getByRole('tab').nth(index).click()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    await page.getByRole('tablist').scrollIntoViewIfNeeded()
    await picture(`inspector-${name}-${index}`)
    expect(await pageFaults(page), tabs[index]).toEqual([])
  }
  expect(problems).toEqual([])
})

// The last: it takes away what the others look at.
test('once all captures are deleted, a call keeps its row and says how the next one is kept', async () => {
  const { page, picture, problemsBut } = await openCall(ids.failover)
  await openTab(page, 'Request')
  await page.getByRole('tree', { name: 'Client request' }).waitFor()
  await page.getByRole('button', { name: 'Capture · memory' }).click()
  await page.getByRole('button', { name: 'Delete all captures' }).click()
  const question = page.getByRole('dialog', { name: 'Delete all captures' })
  await question.getByText(/^Deletes the captures of \d+ calls/).waitFor()
  await picture('inspector-delete')
  await question.getByRole('button', { name: 'Delete all captures' }).click()
  await expect.poll(() => over.pair.gateway.parts.captures.status().memory.count).toBe(0)
  await page.getByText('No capture of this call').waitFor()
  await page.getByRole('button', { name: 'Capture everything for 10 minutes' }).click()
  await page.getByRole('timer').first().waitFor()
  await picture('inspector-missing')
  expect(await axeFaults(page, '.mantine-Tabs-root')).toEqual([])
  // The page asks once more for the capture that it shows.
  expect(problemsBut(/404/)).toEqual([])
})
