import { axeFaultsInBothThemes } from './axe-faults.ts'
import { pageFaults } from './page-faults.ts'
import type { WatchedPage } from './watched-page.ts'

const NARROW = 400

/**
 * Faults of what a page shows, light, dark and on a phone, without loading it anew. Axe looks at the whole page, or at
 * a part of it. The page stays light and as wide as it was.
 */
export async function lookFaults(
  { page, picture }: Pick<WatchedPage, 'page' | 'picture'>,
  name: string,
  within?: string,
): Promise<string[]> {
  const { width = 1280, height = 800 } = page.viewportSize() ?? {}
  await picture(`${name}-light`)
  const faults = await axeFaultsInBothThemes(page, within)
  faults.push(...(await pageFaults(page)))
  await picture(`${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: NARROW, height })
  let narrow = await pageFaults(page)
  // Asked again while the page still follows its window's new width.
  for (let tries = 0; narrow.length > 0 && tries < 10; tries++) {
    await page.waitForTimeout(100)
    narrow = await pageFaults(page)
  }
  await picture(`${name}-narrow`)
  faults.push(...narrow.map((fault) => `narrow: ${fault}`))
  await page.setViewportSize({ width, height })
  return faults
}
