import type { Page } from 'playwright'

/** Elements wider than the window or their panel, cut states, broken numbers, and texts that were never filled in. */
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
    const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
    // A name may be cut, a state not.
    const cut = [...document.querySelectorAll('.mantine-Badge-label')].filter(
      (label) => label.scrollWidth > label.clientWidth + 1 && (label.textContent ?? '').length < 24,
    )
    const broken = [...document.querySelectorAll(':is(dd, td, dd *, td *):not(:has(*))')]
      .filter((element) => /^[^\d\s#]?[\d.,]+%?$/.test(element.textContent ?? ''))
      .filter((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
    return [
      ...cut.filter(shown).map(({ textContent }) => `the state “${textContent}” is cut`),
      ...broken.filter(shown).map(({ textContent }) => `the number ${textContent} is broken`),
      ...wide.map(
        (element) => `${element.tagName} is ${element.scrollWidth} of ${element.clientWidth} wide`,
      ),
      ...texts,
    ]
  })
}
