import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'

/** Evaluated rather than added as a script, which the page's content security policy forbids. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** axe-core's findings on a page, each with its first elements: https://github.com/dequelabs/axe-core */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(source)
  return page.evaluate(async () => {
    const axe = Reflect.get(window, 'axe') as typeof import('axe-core')
    const { violations } = await axe.run(document)
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 4)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
          .join(' | ')}`,
    )
  })
}
