import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startUnset } from '../../main/manage/management.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'
import { launchBrowser } from '../../support/pages/browser.ts'
import { watchedPage } from '../../support/pages/watched-page.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'

const RIGHT = 'sk-right-0123456789abcdef'
const SENTENCE = 'Incorrect API key provided. Find your key at the page of your account.'

const completion = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'small-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

test('from the very first page to the playground in six clicks, with a key that is wrong and then right', async () => {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-first-run-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
  const vendor = await startUpstream(({ headers, url }) => {
    if (headers.authorization !== `Bearer ${RIGHT}`) {
      return { status: 401, body: { error: { message: SENTENCE } } }
    }
    return { body: url === '/v1/models' ? { data: [{ id: 'small-mini' }] } : completion }
  })
  onTestFinished(() => vendor.close())
  const { gateway } = await startUnset({ rendererFolder: resolve('dist/renderer') })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const { page, picture, problems } = await watchedPage(browser)

  const began = Date.now()
  let clicks = 0
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name }).first().click()
    clicks++
  }
  const expectNoAxeFault = async (within?: string) =>
    expect(await axeFaultsInBothThemes(page, within)).toEqual([])
  // Nothing but the address: the first page leads to the first run, with the cursor in the first field.
  await page.goto(`${gateway.url}/console`)
  await page.getByLabel('User name').waitFor()
  await page.keyboard.type('ada')
  for (const word of ['correct horse', 'correct horse']) {
    await page.keyboard.press('Tab')
    if (!(await page.evaluate(() => document.activeElement instanceof HTMLInputElement)))
      await page.keyboard.press('Tab')
    await page.keyboard.type(word)
  }
  await picture('first-run-owner')
  await expectNoAxeFault()
  await click('Create owner')
  await click('Choose a vendor')
  await expectNoAxeFault('[role=dialog]')
  await click(/OpenAI.*api\.openai\.com/)
  // Only the test needs another address than the vendor's.
  await page.getByLabel('Base URL', { exact: true }).fill(vendor.url)
  await page.getByLabel('Channel key').fill('sk-wrong-0123456789abcdef')
  await click('Check and add')
  await page.getByRole('alert').filter({ hasText: SENTENCE }).waitFor()
  expect(gateway.parts.channels.all()).toEqual([])
  await page.getByLabel('Channel key').fill(RIGHT)
  await click('Check and add')
  await page.getByText(/^OpenAI works: small-mini answered in /).waitFor()
  await picture('first-run-last-step')
  await expectNoAxeFault()
  await click('Try it in the playground', 'link')
  await page.getByLabel('Message').waitFor()
  console.log(`first run from the first page: ${clicks} clicks, ${Date.now() - began} ms`)
  expect(clicks).toBe(6)
  expect(gateway.parts.channels.all()).toMatchObject([{ key: RIGHT, models: ['small-mini'] }])
  expect(problems).toEqual([])
})
