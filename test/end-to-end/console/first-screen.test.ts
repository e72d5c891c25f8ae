import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'
import { type WatchedPage, watchedPage } from '../../support/pages/watched-page.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

/** Bytes of script, as they are and compressed. */
const most = { plain: 600_000, gzip: 190_000 }

/** Opens the console in a browser that has none of it yet; and sums its scripts. */
async function openCold(watched: WatchedPage, heading: string) {
  const { page } = watched
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') {
      scripts.set(response.url(), response.body())
    }
  })
  await page.goto(`${over.pair.gateway.url}/console/`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.waitForLoadState('networkidle')
  const bodies = await Promise.all(scripts.values())
  const sum = (size: (body: Buffer) => number) =>
    bodies.reduce((total, body) => total + size(body), 0)
  return {
    plain: sum((body) => body.length),
    gzip: sum((body) => gzipSync(body).length),
    files: bodies.length,
  }
}

const screens = [
  { screen: 'Overview', language: 'en-US', isSignedIn: true, heading: 'Overview' },
  { screen: 'Overview in Chinese', language: 'zh-CN', isSignedIn: true, heading: '概览' },
  { screen: 'the login', language: 'en-US', isSignedIn: false, heading: 'Sign in to Switchyard' },
]

test.each(screens)(
  '$screen loads only the script that it needs',
  async ({ language, isSignedIn, heading }) => {
    const options = { locale: language }
    const watched = await watchedPage(over.browser, options)
    if (isSignedIn) await over.signIn(watched)
    const { plain, gzip, files } = await openCold(watched, heading)
    expect(await axeFaultsInBothThemes(watched.page)).toEqual([])
    // Else the test counts nothing.
    expect(files).toBeGreaterThan(0)
    expect(plain).toBeLessThanOrEqual(most.plain)
    expect(gzip).toBeLessThanOrEqual(most.gzip)
    expect(watched.problems.filter((problem) => !/401/.test(problem))).toEqual([])
  },
)

/** Files of pages that nobody opened. */
const pagesLoaded = ({ page }: WatchedPage) =>
  page.evaluate(
    () =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/(?:playground|calls|settings)-page-[^/]+\.js$/.test(name)).length,
  )

test('the console loads its other pages ahead, but none in a browser that saves data', async () => {
  const saving = await over.open('/no-such-page')
  // Opened later, so when it has them all the first one had the time for it too.
  const usual = await over.open('/no-such-page', { savesData: false })
  await expect.poll(() => pagesLoaded(usual)).toBe(3)
  const isIdle = () => new Promise<void>((resolve) => requestIdleCallback(() => resolve()))
  for (const { page } of [usual, saving]) await page.evaluate(isIdle)
  expect(await pagesLoaded(saving)).toBe(0)
  expect([...saving.problems, ...usual.problems]).toEqual([])
})
