import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const looks = [
  {
    name: 'light',
    options: { colorScheme: 'light', locale: 'en-US' },
    ground: 'rgb(247, 247, 248)',
  },
  { name: 'dark', options: { colorScheme: 'dark', locale: 'en-US' }, ground: 'rgb(17, 17, 20)' },
  { name: 'chinese', options: { colorScheme: 'dark', locale: 'zh-CN' }, ground: 'rgb(17, 17, 20)' },
  {
    name: 'narrow',
    options: { colorScheme: 'light', locale: 'en-US', viewport: { width: 420, height: 800 } },
    ground: 'rgb(247, 247, 248)',
  },
] as const

test.each(looks)(
  '$name: every page fits its window and is in one language',
  async (look) => {
    const { page, picture, problems } = await over.open('/', look.options)
    const { url } = over.pair.gateway
    for (const path of paths) {
      await page.goto(`${url}/console/${path}`)
      await ready(page)
      await picture(`look-${look.name}-${path.replace('/', '-') || 'overview'}`)
      expect(await pageFaults(page), path).toEqual([])
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(ground).toBe(look.ground)
      const language = look.name === 'chinese' ? 'zh-CN' : 'en'
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      const heading = (await page.locator('h1').first().textContent()) ?? ''
      expect(/\p{Script=Han}/u.test(heading)).toBe(look.name === 'chinese')
    }
    expect(problems).toEqual([])
  },
  40_000,
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
