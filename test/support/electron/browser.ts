import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright'
import { chromiumPath } from '../pages/chromium-path.ts'

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

let opened: { context: BrowserContext; profile: string } | undefined

export async function openBrowser(): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'switchyard-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    // The test drives the same pages over this port; the stand-in itself uses a pipe.
    args: ['--remote-debugging-port=0'],
    // Signals are the app's.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    viewport: { width: 1280, height: 820 },
    locale: process.env.STAND_IN_LOCALE ?? 'en-US',
  })
  opened = { context, profile }
}

export function browserContext(): BrowserContext {
  if (!opened) throw new Error('The browser of the stand-in is not open')
  return opened.context
}

/** The port of the browser's DevTools protocol. */
export function debuggingPort(): number {
  if (!opened) throw new Error('The browser of the stand-in is not open')
  return Number(readFileSync(join(opened.profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
}

export async function closeBrowser(): Promise<void> {
  const closing = opened
  opened = undefined
  await closing?.context.close().catch(() => {})
  if (closing) rmSync(closing.profile, { recursive: true, force: true, maxRetries: 5 })
}
