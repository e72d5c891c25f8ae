import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { saveData } from '../pages/browser.ts'
import { chromiumOptions } from '../pages/chromium-options.ts'
import { loadPlaywright } from '../pages/load-playwright.ts'

/**
 * The Chromium behind the stand-in's windows. It does not know the app's own scheme, so a page of
 * `app://console/…` is loaded as `https://console.app.test/…`: standard, secure and one origin, as the
 * real one is. Nothing is ever asked of a network under that name: each request is answered by the
 * handler that the app gave to `protocol.handle`. The app itself only ever sees `app://` URLs.
 */
const suffix = '.app.test'

export const toBrowserUrl = (url: string): string =>
  url.replace(/^app:\/\/([^/]+)/, (_match, host: string) => `https://${host}${suffix}`)

export function toAppUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host } = new URL(url)
  if (protocol !== 'https:' || !host.endsWith(suffix)) return url
  return url.replace(/^https:\/\/[^/]+/, `app://${host.slice(0, -suffix.length)}`)
}

interface OpenBrowser {
  context: BrowserContext
  profile: string
  /** Those that Chromium itself begins with, until a window takes them. */
  firstPages: Page[]
}

let opened: Promise<OpenBrowser> | undefined

/** Opens it for the first window: many starts have none. */
function openBrowser(): Promise<OpenBrowser> {
  opened ??= launch()
  return opened
}

async function launch(): Promise<OpenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'switchyard-chromium-'))
  const context = await loadPlaywright().chromium.launchPersistentContext(profile, {
    ...chromiumOptions,
    // The test drives the same pages over this port; the stand-in itself uses a pipe.
    args: [...chromiumOptions.args, '--remote-debugging-port=0'],
    // Signals are the app's.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    viewport: { width: 1280, height: 820 },
    locale: process.env.STAND_IN_LOCALE ?? 'en-US',
  })
  return { context, profile, firstPages: context.pages() }
}

export async function openPage(): Promise<Page> {
  const { context, firstPages } = await openBrowser()
  const page = firstPages.pop() ?? (await context.newPage())
  await saveData(page)
  return page
}

/** The port of the browser's DevTools protocol. */
export async function debuggingPort(): Promise<number> {
  const { profile } = await openBrowser()
  return Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
}

export async function closeBrowser(): Promise<void> {
  const closing = await opened
  opened = undefined
  await closing?.context.close().catch(() => {})
  if (closing) rmSync(closing.profile, { recursive: true, force: true, maxRetries: 5 })
}
