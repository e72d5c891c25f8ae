import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let source: string | undefined

/** axe-core's findings in a page or in a part of it: the rule, and the elements that break it. */
export async function axeFaults(page: Page, within?: string): Promise<string[]> {
  source ??= readFileSync(path, 'utf8')
  // The page's policy allows no foreign script; an evaluated one isn't subject to it.
  await page.evaluate(source)
  return page.evaluate(async (selector) => {
    const axe = Reflect.get(window, 'axe') as typeof import('axe-core')
    const { violations } = await axe.run(selector ?? document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, html, failureSummary }) =>
          `${id}: ${target.join(' ')}: ${html.slice(0, 160)}: ${failureSummary}`,
      ),
    )
  }, within)
}
