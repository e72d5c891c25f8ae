import { hashPassword } from '../../../main/base/password.ts'
import { launchBrowser, type PageOptions, type TestBrowser } from '../pages/browser.ts'
import { LeftPages } from '../pages/left-pages.ts'
import type { WatchedPage } from '../pages/watched-page.ts'
import { type Pair, startPair } from './pair.ts'

/** A gateway that is set up, with its vendor, and a browser: what tests of the console's pages need. */
export interface ConsoleOverHttp {
  pair: Pair
  browser: TestBrowser
  /**
   * A page of a profile without a past where the owner is signed in, at a path below /console. It is the test's own;
   * the file's, if it is opened before any test.
   */
  open(path: string, options?: PageOptions): Promise<WatchedPage>
  /** Signs the owner in, in the page's profile. */
  signIn(watched: WatchedPage): Promise<void>
  close(): Promise<void>
}

const password = 'correct horse'

/** Starts them; `empty` leaves the gateway without channels. */
export async function startConsoleOverHttp(
  options?: Parameters<typeof startPair>[0],
): Promise<ConsoleOverHttp> {
  const [pair, browser] = await Promise.all([startPair(options), launchBrowser()])
  const { url, parts } = pair.gateway
  const owner = parts.users.byUsername('owner')
  if (owner) parts.users.update(owner.id, { passwordHash: await hashPassword(password) })
  await pair.send('/api/setup', { withoutKey: true, body: {} })
  const pages = new LeftPages(browser, url)
  const signIn = async ({ context }: WatchedPage) => {
    const data = { username: 'owner', password }
    const answer = await context.request.post(`${url}/api/user/login`, { data })
    if (!answer.ok()) throw new Error(`Signing in failed: ${await answer.text()}`)
  }
  return {
    pair,
    browser,
    signIn,
    async open(path, pageOptions) {
      const watched = await pages.take(pageOptions)
      await signIn(watched)
      await watched.page.goto(`${url}/console${path}`)
      return watched
    },
    async close() {
      await browser.close()
      await pair.close()
    },
  }
}
