import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../../main/base/password.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { watchedPage } from '../../support/pages/watched-page.ts'

const OLD = 'https://old.example'
const PASSWORD = 'correct horse'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
})
afterAll(() => over?.close())

const add = (name: string) => over.pair.gateway.addChannel({ name, baseUrl: OLD })

const stored = (id: number) => over.pair.gateway.parts.channels.byId(id)

test('the owner who changes an address enters the key again, or shows who it is; Esc loses nothing', async () => {
  const { id } = add('Moving vendor')
  const { page, picture, problemsBut } = await over.open(`/channels?open=${id}`)
  const address = page.getByLabel('Base URL', { exact: true })
  await address.fill('https://new.example')
  await page.getByText('The address changed: enter the key again, or save and').waitFor()
  await picture('channel-address-owner')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Your password').waitFor()
  await picture('channel-address-step-up')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await address.inputValue()).toBe('https://new.example')
  expect(stored(id)?.baseUrl).toBe(OLD)
  await save.click()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await address.waitFor({ state: 'hidden' })
  expect(stored(id)).toMatchObject({ baseUrl: 'https://new.example', key: 'vendor-key' })
  expect(problemsBut(/Failed to load resource/)).toEqual([])
})

test('an administrator who changes an address is told to enter the key again', async () => {
  const { gateway } = over.pair
  const { id } = add('Other vendor')
  const passwordHash = await hashPassword(PASSWORD)
  gateway.parts.users.create({ username: 'bob', role: 10, passwordHash })
  const { page, picture, context, problemsBut } = await watchedPage(over.browser, {
    viewport: { width: 420, height: 900 },
    colorScheme: 'dark',
  })
  const data = { username: 'bob', password: PASSWORD }
  await context.request.post(`${gateway.url}/api/user/login`, { data })
  await page.goto(`${gateway.url}/console/channels?open=${id}`)
  const address = page.getByLabel('Base URL', { exact: true })
  await address.fill('https://new.example')
  await page.getByText('The address changed: enter the key again.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter the key again in "key".').waitFor()
  await picture('channel-address-administrator')
  expect(stored(id)?.baseUrl).toBe(OLD)
  await page.getByLabel('Channel key').fill('key-of-bob')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await address.waitFor({ state: 'hidden' })
  expect(stored(id)).toMatchObject({ baseUrl: 'https://new.example', key: 'key-of-bob' })
  await page.goto(`${gateway.url}/console/redeem`)
  await page.getByText('Administrators can’t redeem codes; the owner').waitFor()
  expect(await page.getByLabel('Code', { exact: true }).isDisabled()).toBe(true)
  await picture('redeem-administrator')
  expect(problemsBut(/Failed to load resource/)).toEqual([])
})
