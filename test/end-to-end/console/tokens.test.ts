import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'

let over: ConsoleOverHttp
const permissions = ['clipboard-read', 'clipboard-write']

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })

/** Presses a key until the element with this name has the focus. */
async function keyTo(page: Page, key: 'Tab' | 'ArrowDown', name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key)
    if ((await focused(page)) === name) return
  }
  throw new Error(
    `40 × ${key} don't lead to “${name}”; the last stop was “${await focused(page)}”.`,
  )
}

const tabTo = (page: Page, name: string) => keyTo(page, 'Tab', name)

/** A key that is pressed before the new layer has taken the focus goes to the page below. */
const focusMovesTo = (page: Page, selector: string) =>
  expect
    .poll(() => page.evaluate((what) => document.activeElement?.matches(what), selector))
    .toBe(true)

test('the list masks a key; Show key brings all of it, and its button copies it', async () => {
  const { page, picture, problems } = await over.open('/connect/tokens', { permissions })
  const { key } = over.pair.gateway
  const row = page.getByRole('row').filter({ hasText: 'test' })
  await row.waitFor()
  expect(await page.content()).not.toContain(key)
  await picture('tokens-list')
  await page.getByRole('button', { name: 'Show key of test' }).click()
  await page.getByRole('dialog').getByText(key, { exact: true }).waitFor()
  await picture('tokens-revealed')
  await page.getByRole('button', { name: 'Copy: Key' }).click()
  expect(await clipboard(page)).toBe(key)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.content()).not.toContain(key)
  expect(problems).toEqual([])
})

test('a token can be made, limited and copied by keyboard alone', async () => {
  const { page, picture, problems } = await over.open('/', { permissions })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await focusMovesTo(page, 'input')
  await page.keyboard.type('create a tok')
  await picture('keyboard-1-search')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create token' }).waitFor()
  await focusMovesTo(page, '[role="dialog"] input')
  await page.keyboard.type('for the keyboard')
  await picture('keyboard-2-form')
  // Esc asks, a second Esc keeps the form, and what was typed is still there.
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard your edits?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await focusMovesTo(page, '[role="dialog"] input')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('for the keyboard')
  await tabTo(page, 'Create token')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your new token' })
  await dialog.waitFor()
  await tabTo(page, 'Copy: Key')
  await page.keyboard.press('Enter')
  await expect.poll(() => clipboard(page)).toMatch(/^sk-\w{48}$/)
  await picture('keyboard-3-key')
  const models = await over.pair.send('/v1/models', {
    method: 'GET',
    withoutKey: true,
    headers: { authorization: `Bearer ${await clipboard(page)}` },
  })
  expect(models.status).toBe(200)

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await tabTo(page, 'More actions for for the keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await keyTo(page, 'ArrowDown', 'Delete')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Delete token' }).waitFor()
  await picture('keyboard-4-delete')
  await tabTo(page, 'Delete token')
  await page.keyboard.press('Enter')
  await page.getByRole('row').filter({ hasText: 'for the keyboard' }).waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('open lists follow what another client changes', async () => {
  const { parts } = over.pair.gateway
  const { page, problems } = await over.open('/connect/tokens')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  /** What was read when the page opened doesn't show it yet, so only an event can bring it. */
  const follows = async (name: string, change: () => void) => {
    expect(await row(name).count()).toBe(0)
    change()
    await row(name).waitFor()
  }
  const [token] = parts.tokens.all()
  await row('test').waitFor()
  await follows('renamed', () => parts.tokens.update(token?.id ?? 0, { name: 'renamed' }))

  const [channel] = parts.channels.all()
  await page.goto(`${over.pair.gateway.url}/console/channels`)
  await row(channel?.name ?? '').waitFor()
  await follows('moved', () => parts.channels.update(channel?.id ?? 0, { name: 'moved' }))

  await page.goto(`${over.pair.gateway.url}/console/usage/prices`)
  await row('chat-model').waitFor()
  await follows('$41', () => parts.settings.update({ ModelRatio: { 'chat-model': 20.5 } }))
  expect(problems).toEqual([])
})
