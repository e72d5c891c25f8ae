import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
  const others = Array.from({ length: 7 }, (_, index) => `Other ${index + 1}`)
  for (const name of ['One', 'Two', 'Three', ...others]) {
    over.pair.gateway.addChannel({
      name,
      models: ['model-a', 'model-b'],
      key: `first-key-of-${name}`,
    })
  }
})
afterAll(() => over?.close())

const stored = (name: string) =>
  over.pair.gateway.parts.channels.all().find((channel) => channel.name === name)

test('two are tagged, edited by their tag, switched off by it, and deleted', async () => {
  const { page, picture, problems } = await over.open('/channels')
  await page.getByRole('checkbox', { name: 'Select One' }).check()
  await page.getByRole('checkbox', { name: 'Select Two' }).check()
  await picture('channels-selected')
  await page.getByRole('button', { name: 'Set tag' }).click()
  await page.getByLabel('Tag', { exact: true }).fill('work')
  await page.getByRole('dialog').getByRole('button', { name: 'Set tag' }).click()
  await expect.poll(() => stored('Two')?.tag).toBe('work')
  expect(stored('Three')?.tag).toBeNull()

  await page.getByText('By tag', { exact: true }).click()
  await page.getByRole('heading', { name: 'work' }).waitFor()
  await picture('channels-by-tag')
  expect(await axeFaultsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit all channels with the tag work' }).click()
  await page.getByRole('switch', { name: 'Change: Priority' }).click()
  await page.getByLabel('Priority', { exact: true }).fill('7')
  await picture('channels-tag-form')
  expect(await axeFaultsInBothThemes(page, '[role=dialog]')).toEqual([])
  await page.getByRole('button', { name: 'Change 2 channels' }).click()
  await expect.poll(() => [stored('One')?.priority, stored('Two')?.priority]).toEqual([7, 7])
  expect(stored('One')?.models).toEqual(['model-a', 'model-b'])
  expect(stored('Three')?.priority).toBe(0)

  await page.getByRole('button', { name: 'Disable all channels with the tag work' }).click()
  await page.getByText('0 of 2 enabled').waitFor()
  expect([stored('One')?.status, stored('Three')?.status]).toEqual([2, 1])

  await page.getByRole('button', { name: 'All channels', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete disabled channels' }).click()
  await page.getByText(/Delete 2 disabled or auto-disabled channels/).waitFor()
  await page.getByRole('button', { name: 'Delete disabled channels' }).click()
  await expect.poll(() => over.pair.gateway.parts.channels.all().length).toBe(8)
  expect(problems).toEqual([])
})

test('keys are added, one is switched off and deleted, and all are shown after the password', async () => {
  const { page, picture, problemsBut } = await over.open('/channels')
  await page.getByRole('button', { name: 'Three', exact: true }).click()
  await page.getByLabel('Channel key').fill('second-key-of-the-vendor\nthird-key-of-the-vendor')
  await page.getByText('Keep and add').click()
  await picture('channels-several-keys')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 keys', { exact: true }).waitFor()

  const menu = page.getByRole('button', { name: 'More actions for Three' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Keys…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keys of Three' })
  await dialog.getByRole('switch').nth(1).click({ force: true })
  await dialog.getByText('2 enabled · 1 disabled · 0 auto-disabled').waitFor()
  await picture('channels-keys')
  await dialog.getByRole('button', { name: /^Delete key #2/ }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await dialog.getByText('2 enabled · 0 disabled · 0 auto-disabled').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await menu.click()
  await page.getByRole('menuitem', { name: 'Show key' }).click()
  await page.getByLabel('Your password').fill('correct horse')
  await picture('channels-step-up')
  await page.getByRole('button', { name: 'Confirm' }).click()
  const shown = page.getByRole('dialog', { name: 'Key of Three' })
  await shown.getByText('third-key-of-the-vendor').waitFor()
  expect(await shown.textContent()).not.toContain('second-key')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.content()).not.toContain('third-key-of-the-vendor')
  expect(problemsBut(/Failed to load resource.*403/)).toEqual([])
})
