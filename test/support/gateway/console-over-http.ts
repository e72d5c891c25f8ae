import { hashPassword } from '../../../main/base/password.ts'
import { launchBrowser, type PageOptions, type TestBrowser } from '../pages/browser.ts'
import { type WatchedPage, watchedPage } from '../pages/watched-page.ts'
import { type Pair, startPair } from './pair.ts'

/** A gateway that is set up, with its vendor, and a browser: what tests of the console's pages need. */
export interface ConsoleOverHttp {
  pair: Pair
  browser: TestBrowser
  /** A page of a fresh profile where the owner is signed in, at a path below /console. */
  open(path: string, options?: PageOptions): Promise<WatchedPage>
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
  return {
    pair,
    browser,
    async open(path, pageOptions) {
      const watched = await watchedPage(browser, pageOptions)
      const answer = await watched.context.request.post(`${url}/api/user/login`, {
        data: { username: 'owner', password },
      })
      if (!answer.ok()) throw new Error(`Signing in failed: ${await answer.text()}`)
      await watched.page.goto(`${url}/console${path}`)
      return watched
    },
    async close() {
      await browser.close()
      await pair.close()
    },
  }
}
