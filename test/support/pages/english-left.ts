import type { Page } from 'playwright'

/**
 * Sentences in English that a page shows or reads out: three words in a row, one of them small. What is quoted,
 * code, an id or a name counts for none, nor what its owner or a vendor wrote (`[lang]`, blockquotes).
 */
export function englishLeft(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const notOurs = 'code, pre, kbd, samp, textarea, blockquote, script, style, .mono, [lang="en"]'
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (parent?.closest(notOurs) || !parent?.checkVisibility()) continue
      texts.push(node.textContent ?? '')
    }
    for (const element of document.querySelectorAll(
      '[aria-label], [title], [placeholder], [alt]',
    )) {
      if (element.closest(notOurs) || !element.checkVisibility()) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        texts.push(element.getAttribute(name) ?? '')
      }
    }
    // Lists of names have commas; terms of a query and addresses have colons.
    const words = /[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){2,}/g
    const found = texts.flatMap((text) => {
      const own = text.replaceAll(/“[^”]*”|"[^"]*"|‘[^’]*’|`[^`]*`/g, '“”')
      return (own.replaceAll(/\S+:\S+/g, ' · ').match(words) ?? []).filter((run) =>
        /(?:^| )[a-z]{2,}\b/.test(run),
      )
    })
    return [...new Set(found)]
  })
}
