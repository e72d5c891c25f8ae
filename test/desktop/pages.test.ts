import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desktop, launchDesktop, temporaryFolder } from '../support/desktop/launch-desktop.ts'
import { sampleOf } from '../support/every-case.ts'
import { consoleWalk } from '../support/pages/console-walk.ts'
import { drawPage } from '../support/pages/draw-page.ts'
import { pageFaults } from '../support/pages/page-faults.ts'
import { savedBy } from '../support/pages/saved-by.ts'
import {
  prepareWalk,
  visit,
  type Walk,
  walker,
  walkThrough,
} from '../support/pages/walk-through.ts'

const folder = temporaryFolder()
const problems: string[] = []
let desktop: Desktop
let page: Page
let walk: Walk

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path })
  page = await desktop.page()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  const ask: Walk['ask'] = async (name, input) => {
    const result = await page.evaluate(([asked, given]) => window.switchyard?.call(asked, given), [
      name,
      input,
    ] as const)
    if (!result?.ok) throw new Error(result?.error.message ?? 'There is no bridge')
    return result.data as never
  }
  walk = { page, base: page.url(), problems, ask }
  await ask('setup.run', { ...walker, confirmPassword: walker.password })
  await prepareWalk(walk)
  // It still shows the first run, which didn't see the owner come.
  await page.reload()
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

const open = (path: string, heading: string) => visit(walk, { path, heading })

describe('in the desktop', () => {
  // end-to-end/console/walk.test.ts takes all of these steps, in a browser.
  test.each(sampleOf(consoleWalk, 2))(
    '$path shows its page and does what it is for',
    async (step) => {
      const name = step.path.slice(1).replaceAll('/', '-') || 'overview'
      try {
        await walkThrough(walk, step)
        expect(await pageFaults(page)).toEqual([])
      } finally {
        await drawPage(page, `desktop-walk-${name}`)
      }
    },
  )

  test('the API’s document is saved as a file, for its address is of no use here', async () => {
    await open('/api-reference', 'API reference')
    const { name, text } = await savedBy(page, 'OpenAPI 3.1 (JSON)')
    expect(name).toBe('switchyard-openapi.json')
    const document = JSON.parse(text) as { openapi: string; paths: object }
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(Object.keys(document.paths)).toContain('/api/user/self')
  })

  test('a model call is tried from the API reference, though the window has no HTTP', async () => {
    await walk.ask('token.create', { name: 'tried', unlimited_quota: true })
    await open('/api-reference', 'API reference')
    await page.getByRole('button', { name: /^POST ?\/v1\/chat\/completions/ }).click()
    await drawPage(page, 'desktop-api-tried')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^200 · /).waitFor()
    const answer = page.getByRole('region', { name: 'Response' })
    await answer.getByText('"chat.completion"').waitFor()
    expect(problems).toEqual([])
  })

  test('a browser that is signed in elsewhere is listed, and ended from the window', async () => {
    await open('/settings/security', 'Settings')
    await page.getByText('No browser is signed in.').waitFor()
    const { url } = await walk.ask('server.get', {})
    const login = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(walker),
    })
    expect(login.status).toBe(200)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const self = () => fetch(`${url}/api/user/self`, { headers: { cookie } })
    expect((await self()).status).toBe(200)

    await open('/settings/security', 'Settings')
    await page.getByRole('button', { name: /^End the session of/ }).click()
    await page.getByText('No browser is signed in.').waitFor()
    expect((await self()).status).toBe(401)
  })

  test('a link to a page of a vendor opens in the browser of the system', async () => {
    await desktop.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = async (url) => {
        opened.push(url)
      }
    }, null)
    await open('/prices', 'Prices')
    const { items } = await walk.ask('price.list', {})
    const price = items.find(({ model }) => model === 'gpt-4o')
    const row = page.getByRole('row').filter({ has: page.getByText('gpt-4o', { exact: true }) })
    await page.getByText('All', { exact: true }).click()
    await row.waitFor()
    await page.getByRole('textbox', { name: 'Model or vendor' }).fill('gpt-4o')
    // A row that moves while the button is down gets no click.
    const others = page.getByRole('row').filter({ hasNotText: 'gpt-4o' })
    await expect.poll(() => others.allTextContents()).toHaveLength(1)
    await row.getByRole('link').click()
    await expect
      .poll(() => desktop.evaluate(() => Reflect.get(globalThis, 'opened') as string[], null))
      .toEqual([price?.page])
    expect(new URL(page.url()).pathname).toBe('/console/usage/prices')
  })
})
