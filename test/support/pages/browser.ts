import type { Browser, BrowserContext, Page } from 'playwright'
import { chromiumOptions } from './chromium-options.ts'
import { loadPlaywright } from './load-playwright.ts'

function launch(): Promise<Browser> {
  if (chromiumOptions.executablePath) return loadPlaywright().chromium.launch(chromiumOptions)
  throw new Error(
    'No browser for the page tests: install Chromium or Chrome, or name one with CHROMIUM_PATH.',
  )
}

export type PageOptions = Parameters<Browser['newContext']>[0] & {
  /** False for the console as most people have it, which loads its other pages ahead: a third of a page's cost. */
  savesData?: boolean
}

/** Pixels of a page's window unless its test says otherwise. */
export const usualViewport = { width: 1280, height: 800 }

export interface TestBrowser {
  /** A page with cookies and storage of its own. `problems` tells what fails in it. */
  page(options?: PageOptions): Promise<TestPage>
  close(): Promise<void>
}

export interface TestPage {
  page: Page
  context: BrowserContext
  /** Uncaught errors and console errors since the page was opened. */
  problems: string[]
}

/** As a browser whose user asked it to load nothing ahead. */
export async function saveData(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
}

/** One a process, to its end: it takes longer to start than most tests of a page do. */
let shared: Promise<Browser> | undefined

/** A real Chromium, shared by the files of this process; every page has a profile of its own. */
export async function launchBrowser(): Promise<TestBrowser> {
  shared ??= launch()
  const browser = await shared
  const contexts: BrowserContext[] = []
  return {
    async page({ savesData = true, ...options } = {}) {
      const context = await browser.newContext({
        viewport: usualViewport,
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      const page = await context.newPage()
      if (savesData) await saveData(page)
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      return { page, context, problems }
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}
