import type { Page } from 'playwright'

/** Elements wider than the window or their panel, and texts that were never filled in. */
export function pageFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = [
      document.documentElement,
      ...document.querySelectorAll('main, :has(> table)'),
    ].filter((element) => element.scrollWidth > element.clientWidth)
    const unfilled = /\{\{\w+\}\}|\b(?:undefined|NaN|[a-z]+\.[a-z]+[A-Z]\w*)\b/
    const texts = [...document.querySelectorAll('body *:not(:has(*))')]
      .map((element) => element.textContent ?? '')
      .filter((text) => unfilled.test(text))
    return [
      ...wide.map(
        (element) => `${element.tagName} is ${element.scrollWidth} of ${element.clientWidth} wide`,
      ),
      ...texts,
    ]
  })
}
