import type { Browser, BrowserContext, Page } from 'playwright'
import { chromiumOptions } from './chromium-options.ts'
import { loadPlaywright } from './load-playwright.ts'

function launch(): Promise<Browser> {
  if (chromiumOptions.executablePath) return loadPlaywright().chromium.launch(chromiumOptions)
  throw new Error(
    'No browser for the page tests: install Chromium or Chrome, or name one with CHROMIUM_PATH.',
  )
}

export interface TestBrowser {
  /** A page with cookies and storage of its own. `problems` tells what fails in it. */
  page(options?: Parameters<Browser['newContext']>[0]): Promise<TestPage>
  close(): Promise<void>
}

export interface TestPage {
  page: Page
  context: BrowserContext
  /** Uncaught errors and console errors since the page was opened. */
  problems: string[]
}

/** One a process, to its end: it takes longer to start than most tests of a page do. */
let shared: Promise<Browser> | undefined

/** A real Chromium, shared by the files of this process; every page has a profile of its own. */
export async function launchBrowser(): Promise<TestBrowser> {
  shared ??= launch()
  const browser = await shared
  const contexts: BrowserContext[] = []
  return {
    async page(options) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      const page = await context.newPage()
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
