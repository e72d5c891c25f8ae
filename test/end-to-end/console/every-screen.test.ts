import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from '../../../renderer/components/shell/pages.ts'
import { inspectedVendor } from '../../support/captures/inspected-calls.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { fillGateway } from '../../support/gateway/full-gateway.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { reachFaults } from '../../support/pages/reach-faults.ts'

let over: ConsoleOverHttp
let paths: string[]
const widths = [1600, 1280, 900, 768, 400]

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true, handler: inspectedVendor })
  const calls = await fillGateway(over.pair)
  paths = [
    ...pages.map(({ path }) => path),
    ...['security', 'options', 'transfer', 'desktop'].map((section) => `/settings/${section}`),
    '/calls/replay',
    `/calls?open=${calls.converted}&tab=route`,
    '/no-such-page',
  ]
})
afterAll(() => over?.close())

test('every action of every page can be reached, with 201 channels, 10 000 calls and long names', async () => {
  const { page, picture } = await over.open('/')
  const settle = async () => {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  }
  /** Asked again while a page still follows its window's new width. */
  const faultsNow = async (): Promise<string[]> => {
    let faults: string[] = []
    for (let tries = 0; tries < 5; tries++) {
      await settle()
      faults = [...(await pageFaults(page)), ...(await reachFaults(page))]
      if (faults.length === 0) break
      await page.waitForTimeout(100)
    }
    return faults.slice(0, 6)
  }
  const faults: string[] = []
  await settle()
  for (const path of paths) {
    // As a click in the console does: loading the console anew takes longer.
    await page.evaluate((to) => history.pushState(null, '', to), `/console${path}`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      for (const fault of await faultsNow()) faults.push(`${path} at ${width}: ${fault}`)
      await picture(`screen-${path.replace(/\W+/g, '-')}-${width}`)
    }
  }
  expect(faults).toEqual([])
}, 240_000)
