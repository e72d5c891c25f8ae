import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { lookFaults } from '../../support/pages/looks.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'

const SENTENCE = 'Incorrect API key provided. Find your key at the page of your account.'
const home = mkdtempSync(join(tmpdir(), 'switchyard-move-in-'))

const { HOME, USERPROFILE } = process.env

let over: ConsoleOverHttp
let vendor: ScriptedUpstream

const completion = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'small-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

beforeAll(async () => {
  // For all tests of the file: stubbed variables last for one.
  Object.assign(process.env, { HOME: home, USERPROFILE: home })
  vendor = await startUpstream(({ headers, url }) => {
    if (!headers.authorization?.startsWith('Bearer sk-right')) {
      return { status: 401, body: { error: { message: SENTENCE } } }
    }
    return { body: url === '/v1/models' ? { data: [{ id: 'small-mini' }] } : completion }
  })
  const lines = [
    `OLD_RELAY_API_KEY=sk-wrong-0123456789abcdef\nOLD_RELAY_BASE_URL=${vendor.url}/v1`,
    `NEW_RELAY_API_KEY=sk-right-0123456789abcdef\nNEW_RELAY_BASE_URL=${vendor.url}/v1`,
    'AZURE_API_KEY=0123456789abcdef0123',
  ]
  writeFileSync(join(home, '.env'), lines.join('\n'))
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), 'model = "gpt-5"\n')
  over = await startConsoleOverHttp({ empty: true })
})
afterAll(async () => {
  await over?.close()
  await vendor?.close()
  // Another object in its place would leave `TZ` without effect for the files after this one.
  for (const [name, value] of Object.entries({ HOME, USERPROFILE })) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  rmSync(home, { recursive: true })
})

test.each([
  { name: 'english', locale: 'en-US' },
  { name: 'chinese', locale: 'zh-CN' },
])('$name: the first run and Import and export are sound', async ({ name, locale }) => {
  const watched = await over.open('/welcome', { locale })
  const { page, problems } = watched
  const isChinese = name === 'chinese'
  const expectSound = async (where: string) =>
    expect(
      isChinese ? await pageFaults(page) : await lookFaults(watched, `move-in-${where}`),
      where,
    ).toEqual([])
  const keys = page.getByRole('list', { name: isChinese ? '本机上的密钥' : 'Keys on this machine' })
  await keys.getByRole('checkbox', { name: /Azure/ }).check()
  await expectSound('first-run')

  await page.goto(page.url().replace(/\/console\/.*/, '/console/settings/transfer'))
  await keys.waitFor()
  await expectSound('settings')
  await page.getByText('new-api', { exact: false }).first().click()
  await page.getByLabel(isChinese ? '地址' : 'Address', { exact: true }).waitFor()
  await expectSound('gateway')
  await page.getByText(isChinese ? '文件或链接' : 'File or link').click()
  const { channels } = over.pair.gateway.parts
  const mine = channels.create({
    ...{ type: 1, name: 'Linked', key: 'sk-mine-0123456789abcdef', models: ['gpt-5'] },
    ...{ baseUrl: 'https://models.example.com/v1' },
  })
  const link = `ccswitch://v1/import?resource=provider&app=codex&name=Linked&endpoint=https%3A%2F%2Fapi.example.com%2Fv1&apiKey=sk-test-link-0001`
  await page.locator('textarea').first().fill(link)
  await page.getByRole('button', { name: isChinese ? '预览' : 'Preview' }).click()
  await page.getByRole('cell', { name: 'Linked' }).first().waitFor()
  await page.getByText('sk-…cdef → sk-…0001').waitFor()
  await expectSound('preview')
  channels.remove([mine.id])
  expect(problems).toEqual([])
})

test('a found key that is wrong, then one that is right, in six clicks from the first page to the playground', async () => {
  const began = Date.now()
  const { page, picture, problems } = await over.open('/welcome')
  let clicks = 0
  const click = async (role: 'button' | 'link' | 'checkbox', name: string | RegExp) => {
    await page.getByRole(role, { name }).first().click()
    clicks++
  }
  await click('checkbox', /old_relay/)
  await click('button', 'Check and add 1 key')
  await page.getByText(SENTENCE).waitFor()
  await picture('move-in-refused')
  expect(await axeFaults(page)).toEqual([])
  expect(over.pair.gateway.parts.channels.all()).toEqual([])
  await click('checkbox', /old_relay/)
  await click('checkbox', /new_relay/)
  await click('button', 'Check and add 1 key')
  await page.getByText(/^new_relay works: small-mini answered in /).waitFor()
  const tool = page.getByRole('link', { name: /Connect Codex/ })
  expect(await tool.getAttribute('href')).toBe('/console/connect?tool=codex')
  await picture('move-in-last-step')
  expect(await pageFaults(page)).toEqual([])
  expect(await axeFaults(page)).toEqual([])
  await click('link', 'Try it in the playground')
  await page.getByLabel('Message').waitFor()
  console.log(`first run with found keys: ${clicks} clicks, ${Date.now() - began} ms`)
  expect(clicks).toBe(6)
  expect(over.pair.gateway.parts.channels.all()).toMatchObject([{ models: ['small-mini'] }])
  expect(problems).toEqual([])
})

test('a replaced channel comes back by Undo, which waits on the page; an export names what it left out', async () => {
  const { channels } = over.pair.gateway.parts
  const mine = channels.create({
    ...{ type: 1, name: 'Linked', key: 'sk-mine-0123456789abcdef', models: ['gpt-5'] },
    ...{ baseUrl: 'https://models.example.com/v1', headerOverride: { 'X-Key': 'secret-0123' } },
  })
  const { page, picture, problemsBut } = await over.open('/settings/transfer')
  const link =
    'switchyard://import?name=Linked&vendor=openai&key=sk-new-0123456789wxyz&models=gpt-9'
  await page.getByLabel('File contents').fill(link)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('combobox', { name: 'Conflict of Linked' }).selectOption('Replace mine')
  await page.getByRole('button', { name: 'Import 1 item' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Your password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Imported: 0 added, 1 changed.').waitFor()
  expect(channels.byId(mine.id)).toMatchObject({ key: 'sk-new-0123456789wxyz' })
  await page.reload()
  await page.getByText('Imported: 0 added, 1 changed.').scrollIntoViewIfNeeded()
  await picture('move-in-undo')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Imported: 0 added, 1 changed.').waitFor({ state: 'hidden' })
  expect(channels.byId(mine.id)).toMatchObject({ key: 'sk-mine-0123456789abcdef' })

  await page.getByRole('button', { name: 'Save file' }).click()
  await page.getByText('header_override.X-Key').scrollIntoViewIfNeeded()
  await picture('move-in-left-out')
  expect(await axeFaults(page)).toEqual([])
  channels.remove([mine.id])
  // The confirmation is asked for by a refusal.
  expect(problemsBut(/403/)).toEqual([])
})
