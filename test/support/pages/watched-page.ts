import type { PageOptions, TestBrowser, TestPage } from './browser.ts'
import { drawPage } from './draw-page.ts'

export interface WatchedPage extends TestPage {
  /** `test/output/<name>.png`, where pictures are asked for. */
  picture(name: string): Promise<void>
  /** `problems` without those that a test provoked on purpose. */
  problemsBut(...expected: RegExp[]): string[]
}

/** A page whose `problems` also hold what its content security policy refused. */
export async function watchedPage(
  browser: TestBrowser,
  options?: PageOptions,
): Promise<WatchedPage> {
  const opened = await browser.page(options)
  const { page, problems } = opened
  await page.exposeFunction('reportRefusal', (what: string) => problems.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportRefusal') as (what: string) => void
      report(`refused by ${event.violatedDirective}: ${event.blockedURI}`)
    })
  })
  return {
    ...opened,
    picture: (name) => drawPage(page, name),
    problemsBut: (...expected) =>
      problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
  }
}
