import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleOf } from '../../support/every-case.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'

let over: ConsoleOverHttp

const paths = [
  '',
  'playground',
  'calls',
  'channels',
  'routes',
  'connect',
  'connect/tokens',
  'redeem',
  'payments',
  'users',
  'settings',
]

beforeAll(async () => {
  over = await startConsoleOverHttp()
  const { gateway, upstream, send } = over.pair
  gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo', 'echo-mini'] })
  gateway.addToken({
    name: 'a token with a name as long as names can be',
    modelLimitsEnabled: true,
    modelLimits: ['echo'],
  })
  const body = { model: modelOf.chat, messages: [{ role: 'user', content: 'Hello' }] }
  const text = {
    body: readFixture('openai-chat/text.json'),
    headers: { 'content-type': 'application/json' },
  }
  upstream.script(text, text, { status: 400, body: { error: { message: 'No such thing.' } } })
  for (let calls = 0; calls < 3; calls++) await send('/v1/chat/completions', { body })
})
afterAll(() => over?.close())

const ready = async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

test('numbers stand under their headers, and codes are monospace, also where sheets come later', async () => {
  const { page } = await over.open('/users')
  await ready(page)
  const styleOf = (selector: string, name: 'textAlign' | 'fontFamily') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, key) => getComputedStyle(element)[key], name)
  expect(await styleOf('th.numeric', 'textAlign')).toBe('right')
  await page.evaluate(() => history.pushState(null, '', '/console/redeem'))
  await page.getByRole('textbox', { name: 'Code' }).waitFor()
  expect(await styleOf('input.mono', 'fontFamily')).toContain('mono')
})

test('who wants less motion sees another theme at once', async () => {
  const { page } = await over.open('/users', { colorScheme: 'light' })
  await ready(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test.each([
  { name: 'light', scheme: 'light', locale: 'en-US', ground: 'rgb(247, 247, 248)', first: 0 },
  { name: 'Chinese, dark', scheme: 'dark', locale: 'zh-CN', ground: 'rgb(17, 17, 20)', first: 1 },
] as const)(
  '$name: every page has its ground and is in one language',
  async ({ scheme, locale, ground, first }) => {
    const { page, picture, problems } = await over.open('/', { colorScheme: scheme, locale })
    for (const path of sampleOf(paths, 2, first)) {
      await page.evaluate((to) => history.pushState(null, '', to), `/console/${path}`)
      await ready(page)
      await picture(`look-${scheme}-${path.replace('/', '-') || 'overview'}`)
      expect(await pageFaults(page), path).toEqual([])
      const shown = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(shown).toBe(ground)
      expect(await page.locator('html').getAttribute('lang')).toBe(
        locale === 'zh-CN' ? 'zh-CN' : 'en',
      )
      const heading = page.locator('h1').first()
      const isChinese = async () => /\p{Script=Han}/u.test((await heading.textContent()) ?? '')
      await expect.poll(isChinese, { message: path }).toBe(locale === 'zh-CN')
    }
    expect(problems).toEqual([])
  },
)

test('a narrow window has its navigation in a drawer, and forms that fit', async () => {
  const { page, picture, problems } = await over.open('/', {
    viewport: { width: 420, height: 800 },
  })
  await ready(page)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Channels' }).waitFor()
  await picture('look-narrow-navigation')
  await drawer.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('button', { name: 'chat vendor', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await picture('look-narrow-channel-form')
  expect(await pageFaults(page)).toEqual([])
  expect(problems).toEqual([])
})

test('theme and language change at once in the settings, and stay after a reload', async () => {
  const { page, picture, problems } = await over.open('/settings')
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('简体中文').click()
  await page.getByRole('heading', { name: '设置' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '设置' }).waitFor()
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  expect(await scheme()).toBe('dark')
  await picture('look-settings-changed')
  expect(problems).toEqual([])
})
