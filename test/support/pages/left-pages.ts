import { onTestFinished, TestRunner } from 'vitest'
import { type PageOptions, type TestBrowser, usualViewport } from './browser.ts'
import { type WatchedPage, watchedPage } from './watched-page.ts'

/**
 * The pages that tests of a file left, for the next ones that want such: in a page whose browser has loaded a console
 * before, and compiled it, another one costs less than half. They come with nothing in their stores and no cookies.
 */
export class LeftPages {
  readonly #browser: TestBrowser
  /** A page of the console's origin that does nothing, since at another origin the page loses its process. */
  readonly #rest: string
  readonly #left = new Map<string, WatchedPage[]>()

  constructor(browser: TestBrowser, origin: string) {
    this.#browser = browser
    this.#rest = `${origin}/api/status`
  }

  /** A page for this test; for the whole file, if it is opened before any test. */
  async take(options: PageOptions = {}): Promise<WatchedPage> {
    const { viewport, colorScheme, permissions, ...profile } = options
    const kind = JSON.stringify(profile)
    const left = this.#left.get(kind)?.pop()
    if (left) {
      await left.page.setViewportSize(viewport ?? usualViewport)
      await left.page.emulateMedia({ colorScheme: colorScheme ?? 'light' })
      await left.context.grantPermissions(permissions ?? [])
      left.problems.length = 0
    }
    const watched = left ?? (await watchedPage(this.#browser, options))
    if (TestRunner.getCurrentTest()) onTestFinished(() => this.#leave(watched, kind))
    return watched
  }

  async #leave(watched: WatchedPage, kind: string): Promise<void> {
    const { page, context } = watched
    try {
      for (const other of context.pages()) if (other !== page) await other.close()
      await context.clearPermissions()
      await page.goto(this.#rest)
      await page.evaluate(async () => {
        localStorage.clear()
        sessionStorage.clear()
        for (const { name } of await indexedDB.databases()) {
          const deleting = indexedDB.deleteDatabase(name ?? '')
          await new Promise((done) => Object.assign(deleting, { onsuccess: done, onerror: done }))
        }
      })
      await context.clearCookies()
      this.#left.set(kind, [...(this.#left.get(kind) ?? []), watched])
    } catch {
      // What its test did to it is not known.
      await context.close()
    }
  }
}
