import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { lookFaults } from '../../support/pages/looks.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'

const RIGHT = 'sk-right-0123456789abcdef'
const SENTENCE = 'Incorrect API key provided. Find your key at the page of your account.'

let over: ConsoleOverHttp
let vendor: ScriptedUpstream

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'small-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

beforeAll(async () => {
  vendor = await startUpstream(({ headers, url }) => {
    if (headers.authorization !== `Bearer ${RIGHT}`) {
      return { status: 401, body: { error: { message: SENTENCE } } }
    }
    return { body: url === '/v1/models' ? { data: [{ id: 'small-mini' }] } : completion }
  })
  over = await startConsoleOverHttp({ empty: true })
})
afterAll(async () => {
  await over?.close()
  await vendor?.close()
})

test('a refused key is told in the vendor’s words, and nothing is wrong with the page', async () => {
  const watched = await over.open('/welcome')
  const { page } = watched
  await page.getByRole('button', { name: 'Choose a vendor' }).click()
  await page
    .getByRole('button', { name: /OpenAI.*api\.openai\.com/ })
    .first()
    .click()
  await page.locator('textarea').first().fill('sk-wrong-0123456789abcdef')
  await page.getByLabel('Base URL', { exact: true }).fill(vendor.url)
  await page.getByRole('button', { name: 'Check and add' }).click()
  await page.getByText(SENTENCE).waitFor()
  await page.getByText(SENTENCE).scrollIntoViewIfNeeded()
  expect(await lookFaults(watched, 'first-vendor-refused', '[role=dialog]')).toEqual([])
  expect(over.pair.gateway.parts.channels.all()).toEqual([])
})

test('the first vendor takes six clicks with a wrong key between: refused, corrected, saved, connected', async () => {
  const { page, picture, problems } = await over.open('/welcome')
  let clicks = 0
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name }).first().click()
    clicks++
  }
  await click('Choose a vendor')
  await click(/OpenAI.*api\.openai\.com/)
  await page.getByLabel('Base URL', { exact: true }).fill(vendor.url)
  await page.getByLabel('Channel key').fill('sk-wrong-0123456789abcdef')
  await click('Check and add')
  await page.getByRole('alert').filter({ hasText: SENTENCE }).waitFor()
  await page.getByRole('button', { name: 'Save anyway' }).waitFor()
  expect(over.pair.gateway.parts.channels.all()).toEqual([])

  await page.getByLabel('Channel key').fill(RIGHT)
  // The result of the wrong key is not shown beside the right one.
  expect(await page.getByText(SENTENCE).count()).toBe(0)
  await click('Check and add')
  await page.getByText(/^OpenAI works: small-mini answered in /).waitFor()
  await picture('first-vendor-saved')
  expect(await axeFaults(page)).toEqual([])
  // The vendor lists none of the preset's models.
  expect(over.pair.gateway.parts.channels.all()).toMatchObject([
    { key: RIGHT, baseUrl: vendor.url, models: ['small-mini'] },
  ])
  await click('Create token')
  await page.getByRole('region', { name: 'Address', exact: true }).waitFor()
  await picture('first-vendor-connect')
  expect(await axeFaults(page)).toEqual([])
  expect(await page.getByRole('link', { name: 'Open Connect' }).getAttribute('href')).toBe(
    '/console/connect',
  )
  expect(clicks).toBe(5)
  await click('Try it in the playground', 'link')
  await page.getByLabel('Message').waitFor()
  expect(clicks).toBe(6)
  expect(problems).toEqual([])
})

test('a channel whose test failed looks failed after a reload, in list, form and Health', async () => {
  const { gateway } = over.pair
  const name = 'Dead'
  const dead = gateway.parts.channels.create({
    ...{ type: 1, name, key: 'sk-dead-0123456789abcdef' },
    ...{ baseUrl: vendor.url, models: ['small-mini'] },
  })
  const watched = await over.open('/channels')
  const { page, picture } = watched
  const row = page.getByRole('row').filter({ hasText: name }).first()
  await row.getByRole('button', { name: `Test channel ${name}` }).click()
  await page.getByText(SENTENCE).first().waitFor()
  // As after a restart: what health knew is gone.
  gateway.parts.health.forget(dead.id)
  await page.reload()
  const words = 'last test failed'
  await row.getByText(words).waitFor()
  await row.getByText(SENTENCE).waitFor()
  expect(await row.getByText(/^\d+ ms$/).count()).toBe(0)
  expect(await lookFaults(watched, 'failed-test-list', 'main')).toEqual([])
  await page.goto(`${gateway.url}/console/channels?open=${dead.id}`)
  await page.getByRole('dialog').getByText(words).waitFor()
  await picture('failed-test-form')
  await page.goto(`${gateway.url}/console/health`)
  await page.getByRole('row').filter({ hasText: name }).getByText(words).waitFor()
  expect(await lookFaults(watched, 'failed-test-health', 'main')).toEqual([])
  gateway.parts.channels.remove([dead.id])
})
