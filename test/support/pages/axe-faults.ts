import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let source: string | undefined

/** axe-core's findings in a page or a part of it: rule, and the elements that break it. */
export async function axeFaults(page: Page, within = 'body'): Promise<string[]> {
  source ??= readFileSync(path, 'utf8')
  // The page's policy allows no foreign script; an evaluated one isn't subject to it.
  await page.evaluate(source)
  const found = await page.evaluate(
    (selector) =>
      (globalThis as unknown as { axe: { run(within: string): Promise<AxeResults> } }).axe.run(
        selector,
      ),
    within,
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
