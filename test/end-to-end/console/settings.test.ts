import { generate } from 'otplib'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

const section = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Settings sections' }).getByText(name).click()

test('a second factor is set up by its secret, asked for at the next login, and switched off', async () => {
  const { page, picture, problems } = await over.open('/settings')
  await section(page, 'Security')
  await expect.poll(() => page.url()).toMatch(/\/console\/settings\/security$/)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  await picture('security-set-up')
  const secret = await page.getByRole('region', { name: 'Secret' }).locator('pre').textContent()
  const backup = await page
    .getByRole('region', { name: 'Backup codes' })
    .locator('pre')
    .textContent()
  expect((backup ?? '').trim().split('\n')).toHaveLength(4)

  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText(/code is wrong/i).waitFor()
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill(await generate({ secret: secret?.trim() ?? '' }))
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('4 backup codes left').waitFor()
  await picture('security-on')

  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill((backup ?? '').trim().split('\n')[0] ?? '')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Not set up: the password alone opens this account.').waitFor()
  // The refused code is an answer with an error status, which the browser notes.
  expect(problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([])
})

test('axe finds nothing in what sharing would change, light and dark', async () => {
  const { page } = await over.open('/settings')
  await page.getByRole('button', { name: 'Share this gateway…' }).click()
  await page.getByRole('dialog', { name: 'Share this gateway' }).waitFor()
  expect(await axeFaultsInBothThemes(page, '[role=dialog]')).toEqual([])
})

test('the mark of a changed option stands apart from its label', async () => {
  const { page, problems } = await over.open('/settings/options')
  const label = page.getByText('Max failovers', { exact: true })
  await page.getByLabel('Max failovers').fill('3')
  await page.getByRole('button', { name: 'Save Max failovers' }).click()
  const mark = page.getByText('changed', { exact: true })
  await mark.waitFor()
  const [from, to] = await Promise.all([
    label.boundingBox(),
    // Its text has the badge's padding around it.
    mark.locator('..').boundingBox(),
  ])
  expect((to?.x ?? 0) - (from?.x ?? 0) - (from?.width ?? 0)).toBeGreaterThan(4)
  await page.getByRole('button', { name: 'Reset to default: Max failovers' }).click()
  await expect.poll(() => mark.count()).toBe(0)
  expect(problems).toEqual([])
})

test('other sessions are listed with this one marked, and ended from here', async () => {
  const other = await over.open('/')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  const { page, picture } = await over.open('/settings/security')
  const rows = page.getByRole('row').filter({ hasText: 'Chrome' })
  await page.getByText('this one').waitFor()
  expect(await rows.count()).toBeGreaterThan(1)
  await picture('security-sessions')
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await other.page.reload()
  await other.page.getByRole('heading', { name: 'Sign in to Switchyard' }).waitFor()
})

test('an option is saved, refused with the reason in place, and goes back to its default', async () => {
  const { page, picture } = await over.open('/settings/options')
  const retries = page.getByRole('textbox', { name: 'Max failovers' })
  await retries.fill('99')
  await page.getByRole('button', { name: 'Save Max failovers' }).click()
  await page.getByRole('alert').getByText('Max failovers can be at most').waitFor()
  await retries.fill('5')
  await page.getByRole('button', { name: 'Save Max failovers' }).click()
  await expect.poll(() => over.pair.gateway.parts.settings.current.RetryTimes).toBe(5)
  await picture('settings-options')
  await page.getByRole('button', { name: 'Reset to default: Max failovers' }).click()
  await expect.poll(() => over.pair.gateway.parts.settings.current.RetryTimes).toBe(2)
})

test('a secret can be set, is never shown again, and can be cleared', async () => {
  // Payments are for several people.
  over.pair.gateway.set({ SelfUseModeEnabled: false })
  onTestFinished(() => over.pair.gateway.set({ SelfUseModeEnabled: true }))
  const { page } = await over.open('/settings/options?find=creem')
  const name = 'Creem: webhook secret'
  const field = page.getByRole('textbox', { name })
  await field.fill('whsec_of_the_test')
  await page.getByRole('button', { name: `Save ${name}` }).click()
  await expect
    .poll(() => over.pair.gateway.parts.settings.current.CreemWebhookSecret)
    .toBe('whsec_of_the_test')
  await page.reload()
  await page.getByPlaceholder('set; type to replace').first().waitFor()
  expect(await page.content()).not.toContain('whsec_of_the_test')
  await page.getByRole('button', { name: `Clear ${name}` }).click()
  await expect.poll(() => over.pair.gateway.parts.settings.current.CreemWebhookSecret).toBe('')
})

test('a new group with its factor is offered to tokens at once', async () => {
  const { page, picture } = await over.open('/groups')
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('textbox', { name: 'Name:' }).last().fill('fast')
  const row = page.getByRole('row').last()
  await row.getByRole('textbox', { name: 'Factor: fast', exact: true }).fill('2.5')
  await row.getByRole('checkbox').check()
  await row.getByRole('textbox', { name: 'Description: fast' }).fill('Quick ones')
  await page.getByRole('button', { name: 'Save groups' }).click()
  await page.getByText('Saved.').waitFor()
  await picture('settings-groups')
  const { GroupRatio, UserUsableGroups } = over.pair.gateway.parts.settings.current
  expect(GroupRatio).toEqual({ default: 1, fast: 2.5 })
  expect(UserUsableGroups.fast).toBe('Quick ones')
})

test('a price of one’s own replaces the built-in one, and goes away again', async () => {
  const { page, picture, problems } = await over.open('/usage/prices')
  await page.getByText('All', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Model or vendor' }).fill('gpt-4o-mini')
  await page.getByRole('button', { name: 'gpt-4o-mini', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Prices of gpt-4o-mini' })
  await dialog.getByRole('textbox', { name: 'Input', exact: true }).fill('9')
  await picture('prices-edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).first()
  await row.getByText('$9.00').waitFor()
  await row.getByText('yours').waitFor()
  await picture('prices')
  await page.getByRole('button', { name: 'gpt-4o-mini', exact: true }).click()
  await page.getByRole('button', { name: 'Restore built-in prices' }).click()
  await expect.poll(() => row.getByText('yours').count()).toBe(0)
  expect(problems).toEqual([])
})

test('the API reference lists every operation and shows the fields of one', async () => {
  const { page, picture, problems } = await over.open('/api-reference')
  await page.getByText(/\d{3} operations/).waitFor()
  await page.getByRole('textbox', { name: 'Filter by path, name or text' }).fill('tag/disabled')
  await page.getByRole('button', { name: /\/api\/channel\/tag\/disabled/ }).click()
  await page.getByText('curl -X POST').waitFor()
  await picture('api-reference')
  expect(await page.getByText('required').count()).toBeGreaterThan(0)
  expect(problems).toEqual([])
})

test('a model call is tried from the API reference with a token, as a tool would send it', async () => {
  const { page, picture, problems } = await over.open('/api-reference')
  await page.getByText(/\d{3} operations/).waitFor()
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).first().textContent())
    .toBe('Model calls')
  const first = page.getByRole('button', { name: /^POST ?\/v1\/chat\/completions/ })
  await first.click()
  over.pair.upstream.script({
    status: 200,
    body: {
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'model-a' },
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Tried.' }, finish_reason: 'stop' },
      ],
    },
  })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  await answer.getByText('"Tried."').waitFor()
  await picture('api-reference-tried')
  await expect.poll(() => page.getByText(/^200 · /).count()).toBe(1)
  expect(problems).toEqual([])
})

test('notices are sent where they are set to go, and a test tells whether they arrive', async () => {
  const { upstream, gateway } = over.pair
  gateway.set({ 'fetch_setting.allowed_ports': [], SelfUseModeEnabled: false })
  const { page, picture } = await over.open('/settings')
  await page.getByLabel('Warn when balance is below').fill('5')
  await page.getByRole('combobox', { name: 'Send notifications' }).click()
  await page.getByRole('option', { name: 'To a webhook' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill(`${upstream.url}/notices`)
  await page.getByLabel('Signing secret').fill('secret-of-the-hook')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await page.getByLabel('Signing secret').inputValue()).toBe('')
  upstream.script({ status: 200, body: {} }, { status: 410, body: {} })
  const send = page.getByRole('button', { name: 'Send test notification' })
  await send.click()
  await page.getByText(/accepted it after/).waitFor()
  expect(upstream.last().url).toBe('/notices')
  await picture('settings-notices')
  await send.click()
  await page.getByText(/was not delivered/).waitFor()
})
