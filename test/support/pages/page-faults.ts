import type { Page } from 'playwright'

/** Elements wider than the window or their panel, and texts that were never filled in. */
export async function pageFaults(page: Page): Promise<string[]> {
  const wide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, :has(> table)')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map(
        (element) => `${element.tagName} is ${element.scrollWidth} of ${element.clientWidth} wide`,
      ),
  )
  const unfilled = /\{\{\w+\}\}|\b(?:undefined|NaN|[a-z]+\.[a-z]+[A-Z]\w*)\b/
  const texts = await page.locator('body *:not(:has(*))').allTextContents()
  return [...wide, ...texts.filter((text) => unfilled.test(text))]
}
