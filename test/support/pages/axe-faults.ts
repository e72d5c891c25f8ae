import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let source: string | undefined

/**
 * axe-core's findings in a page or in a part of it: the rule, and the elements that break it. `rules` names the few to
 * check.
 */
export async function axeFaults(
  page: Page,
  within?: string,
  rules?: readonly string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    source ??= readFileSync(path, 'utf8')
    // The page's policy allows no foreign script; an evaluated one isn't subject to it.
    await page.evaluate(source)
  }
  return page.evaluate(
    async ({ within, rules }) => {
      const axe = Reflect.get(window, 'axe') as typeof import('axe-core')
      const { violations } = await axe.run(within ?? document, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: [...rules] }),
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, html, failureSummary }) =>
            `${id}: ${target.join(' ')}: ${html.slice(0, 160)}: ${failureSummary}`,
        ),
      )
    },
    { within, rules },
  )
}

/** The same in light, and of what the theme changes in dark; the page stays dark. It must follow the system's theme. */
export async function axeFaultsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = []
  for (const [scheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    })
    const found = await axeFaults(page, within, rules)
    faults.push(...found.map((fault) => `${scheme}: ${fault}`))
  }
  return faults
}
