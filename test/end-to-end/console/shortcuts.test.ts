import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shortcuts } from '../../../renderer/components/shortcuts/shortcuts.ts'
import {
  addInspectedChannels,
  inspectedVendor,
  makeInspectedCalls,
} from '../../support/captures/inspected-calls.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { goWithin } from '../../support/pages/go-within.ts'
import type { WatchedPage } from '../../support/pages/watched-page.ts'

let over: ConsoleOverHttp
let watched: WatchedPage
let call: string

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true, handler: inspectedVendor })
  addInspectedChannels(over.pair)
  over.pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo'] })
  call = (await makeInspectedCalls(over.pair)).converted
  watched = await over.open('/redeem')
})
afterAll(() => over?.close())

type Check = (page: Page, press: () => Promise<void>) => Promise<void>
type Checks = {
  [Area in keyof typeof shortcuts]: Record<keyof (typeof shortcuts)[Area] & string, Check>
}

async function show(path: string) {
  const { page } = watched
  await goWithin(page, path)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

const panel = (page: Page) => page.getByRole('complementary', { name: /^Call / })
const row = (page: Page, number: number) => page.locator(`tr[data-row="${number}"]`)
const inFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? null)
const last = async (page: Page) =>
  String(Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 2)

async function rowThatGetsTheFocus(page: Page, from: number, press: () => Promise<void>) {
  await show('/calls')
  for (let number = 0; number <= from; number++) await page.keyboard.press('j')
  const before = String(from)
  await expect.poll(() => inFocus(page)).toBe(before)
  await press()
  await expect.poll(() => inFocus(page)).not.toBe(before)
  return inFocus(page)
}

const showStream = async (page: Page) => {
  await show(`/calls?open=${call}&tab=stream`)
  const list = page.getByRole('listbox', { name: 'Upstream events' })
  await list.getByRole('option').nth(3).click()
  await list.focus()
  return list
}
const chosenEvent = (page: Page, number: number) =>
  page.locator(`[role=option][aria-selected=true][aria-posinset="${number}"]`).waitFor()

const message = (page: Page) => page.getByLabel('Message')
const say = async (page: Page, model: string) => {
  await show(`/playground?model=${model}`)
  const earlier = await page.getByRole('article').count()
  await message(page).fill('Good morning')
  return earlier
}

/** The models of a new route's targets, after a press in the field of one. */
const modelsAfter = async (page: Page, from: number, press: () => Promise<void>) => {
  await show('/routes?new=1')
  const models = page.getByLabel('Model', { exact: true }).and(page.locator('input'))
  for (const [index, model] of ['first', 'second', 'third'].entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Add target' }).click()
    await models.nth(index).fill(model)
  }
  await models.nth(from).focus()
  await press()
  const value = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value)
  // The focus goes along, and no list of options opens.
  expect(await value()).toBe('second')
  expect(await page.getByRole('option').filter({ visible: true }).count()).toBe(0)
  const found = await models.evaluateAll((all: HTMLInputElement[]) => all.map((one) => one.value))
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  return found
}

const checks: Checks = {
  everywhere: {
    async search(page, press) {
      await show('/redeem')
      await press()
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
    },
    async shortcuts(page, press) {
      await show('/redeem')
      await press()
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await dialog.getByText('Next row').waitFor()
      await press()
      await dialog.waitFor({ state: 'detached' })
      // In a field it is a letter like any other.
      await page.getByRole('textbox').first().focus()
      await press()
      expect(await page.getByRole('textbox').first().inputValue()).toBe('?')
      expect(await dialog.count()).toBe(0)
    },
    async close(page, press) {
      await show('/channels')
      await page.getByRole('button', { name: 'Calm vendor', exact: true }).click()
      const drawer = page.getByRole('dialog').first()
      await drawer.waitFor()
      await press()
      await drawer.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Calm vendor', exact: true }).click()
      await drawer.getByLabel('Name').first().fill('Calmer')
      await press()
      await page.getByRole('dialog', { name: 'Discard your edits?' }).waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await drawer.waitFor({ state: 'detached' })
    },
  },
  calls: {
    async find(page, press) {
      await show('/calls')
      await press()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Filter calls')
    },
    async next(page, press) {
      expect(await rowThatGetsTheFocus(page, 1, press)).toBe('2')
    },
    async previous(page, press) {
      expect(await rowThatGetsTheFocus(page, 2, press)).toBe('1')
    },
    async first(page, press) {
      expect(await rowThatGetsTheFocus(page, 3, press)).toBe('0')
    },
    async last(page, press) {
      expect(await rowThatGetsTheFocus(page, 0, press)).toBe(await last(page))
    },
    async open(page, press) {
      await show('/calls')
      await row(page, 1).focus()
      await press()
      await panel(page).waitFor()
    },
    async tab(page) {
      await show(`/calls?open=${call}&tab=timeline`)
      const tabs = panel(page).getByRole('tab')
      await tabs.nth(6).waitFor()
      for (let number = await tabs.count(); number > 0; number--) {
        await page.keyboard.press(String(number))
        await expect.poll(() => tabs.nth(number - 1).getAttribute('aria-selected')).toBe('true')
      }
    },
    async replay(page, press) {
      await show(`/calls?open=${call}`)
      await page
        .getByRole('link', { name: /^Replay/ })
        .first()
        .waitFor()
      await press()
      await page.getByRole('heading', { level: 1, name: 'Replay' }).waitFor()
    },
    async leave(page, press) {
      await show(`/calls?open=${call}`)
      await panel(page).waitFor()
      await press()
      await panel(page).waitFor({ state: 'detached' })
    },
  },
  stream: {
    async play(page, press) {
      await showStream(page)
      await press()
      await page.getByRole('button', { name: 'Play at 1×', pressed: true }).waitFor()
      await press()
      await page.getByRole('button', { name: 'Play at 1×', pressed: false }).waitFor()
    },
    async later(page, press) {
      await showStream(page)
      await press()
      await chosenEvent(page, 5)
    },
    async earlier(page, press) {
      await showStream(page)
      await press()
      await chosenEvent(page, 3)
    },
    async first(page, press) {
      await showStream(page)
      await press()
      await chosenEvent(page, 1)
    },
    async last(page, press) {
      const list = await showStream(page)
      const size = await list.getByRole('option').first().getAttribute('aria-setsize')
      await press()
      await chosenEvent(page, Number(size))
    },
    async across(page, press) {
      await showStream(page)
      await press()
      const other = page.getByRole('listbox', { name: 'Client events' })
      await expect.poll(() => other.evaluate((list) => list === document.activeElement)).toBe(true)
    },
  },
  playground: {
    async send(page, press) {
      const earlier = await say(page, 'echo')
      await press()
      await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(earlier)
      expect(await message(page).inputValue()).toBe('')
    },
    async line(page, press) {
      await say(page, 'echo')
      await press()
      expect(await message(page).inputValue()).toBe('Good morning\n')
    },
    async run(page, press) {
      await say(page, 'echo')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Edit/ }).first().click()
      await page.getByRole('textbox', { name: /^Edit/ }).fill('Good evening')
      await press()
      await page.getByRole('article').last().getByText('Good evening').waitFor()
      await show('/playground?mode=embeddings&model=echo')
      await page.getByRole('textbox').first().fill('Some words')
      await press()
      await page.getByRole('region', { name: 'Result' }).waitFor()
    },
    async stop(page, press) {
      await say(page, 'thinker')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop' }).first().waitFor()
      await press()
      await page.getByText('stopped', { exact: true }).waitFor()
    },
  },
  replay: {
    async send(page, press) {
      await show(`/calls/replay/${call}`)
      await page.getByLabel('Request body (JSON)').focus()
      await press()
      await page.getByRole('button', { name: 'Send again' }).waitFor()
    },
  },
  routes: {
    async up(page, press) {
      expect(await modelsAfter(page, 1, press)).toEqual(['second', 'first', 'third'])
    },
    async down(page, press) {
      expect(await modelsAfter(page, 1, press)).toEqual(['first', 'third', 'second'])
    },
  },
}

/** As Playwright names it. */
const pressable = (key: string) =>
  key.replace('mod', 'Control').replace('shift', 'Shift').replace('alt', 'Alt')

const rows = Object.entries(checks).flatMap(([area, of]) =>
  Object.entries(of).flatMap(([name, check]) => {
    const entry: Record<string, readonly string[]> = shortcuts[area as keyof Checks]
    return (entry[name] ?? []).map((key) => [`${area}, ${name}`, key, check] as const)
  }),
)

test.each(rows)('%s: the key “%s” does what the dialog says', async (_, key, check) => {
  const { page, problems } = watched
  await check(page, () => page.keyboard.press(pressable(key)))
  expect(problems).toEqual([])
})

test.each([
  ['en', 'Keyboard shortcuts', 'Previous row'],
  ['zh', '键盘快捷键', '上一行'],
] as const)('the search finds the shortcuts (%s)', async (language, title, line) => {
  const { page, picture } = watched
  await page.evaluate((to) => localStorage.setItem('switchyard-language', to), language)
  await page.reload()
  await show('/redeem')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(line)
  await page.getByRole('option', { name: title }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText(line).waitFor()
  await picture(`shortcuts-${language}`)
})

test('over a drawer ? opens nothing, since one Esc would close both', async () => {
  const { page } = await over.open('/connect/tokens?new=1')
  const drawer = page.getByRole('dialog', { name: 'Create token' })
  await drawer.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('?')
  await page.waitForTimeout(300)
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test.each([
  ['?', 'the shortcuts'],
  ['Control+k', 'the search'],
])('%s and Esc: after %s the focus is where it was, the first time too', async (key) => {
  const { page } = await over.open('/calls')
  await row(page, 0).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => inFocus(page)).toBe('0')
  await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await expect
    .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => inFocus(page)).toBe('0')
})

test('after the shortcuts that the search opened, the focus is where it was before both', async () => {
  const { page } = await over.open('/calls')
  await row(page, 0).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => inFocus(page)).toBe('0')
  for (let times = 0; times < 2; times++) {
    await page.keyboard.press('Control+k')
    const option = page.getByRole('option', { name: 'Keyboard shortcuts' })
    await page.getByRole('combobox', { name: 'Search' }).fill('keyboard')
    await option.waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect
      .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => inFocus(page)).toBe('0')
  }
})
