import type { Page } from 'playwright'

/**
 * Buttons, links and fields of a page, or of its open dialog, that nobody gets at by scrolling down: beside the window,
 * behind the edge of a box that cuts them off, or under something else. A strip that stops at each of its columns is
 * moved across, by finger, bar or the Tab key.
 */
export async function reachFaults(page: Page): Promise<string[]> {
  const faults = await page.evaluate(() => {
    const slack = 1
    const kinds =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=option], [tabindex="0"]:not(svg)'

    /** The box that an ancestor cuts its content to, less its borders. */
    const boxOf = (element: Element) => {
      const { left, top } = element.getBoundingClientRect()
      const x = left + element.clientLeft
      const y = top + element.clientTop
      return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight }
    }

    /** A hidden checkbox or radio is clicked by its label. */
    const shownFor = (element: HTMLElement): Element => {
      const labels = element instanceof HTMLInputElement ? element.labels : null
      const { width } = element.getBoundingClientRect()
      return labels?.[0] && width < 4 ? labels[0] : element
    }

    const beyond = (element: Element): string | null => {
      let { left, top, right: end, bottom } = element.getBoundingClientRect()
      // A text that is cut with an ellipsis, or one of many rows, is clicked at its beginning.
      let right = element.getAttribute('role') === 'option' ? left + 16 : end
      let inner = element
      let isAbsolute = false
      let scrollsDown = false
      for (let outer = element.parentElement; outer; outer = outer.parentElement) {
        const innerStyle = getComputedStyle(inner)
        if (innerStyle.position === 'fixed') break
        isAbsolute =
          innerStyle.position === 'absolute' || (isAbsolute && innerStyle.position === 'static')
        inner = outer
        const style = getComputedStyle(outer)
        if (isAbsolute && style.position === 'static') continue
        const name = `${outer.tagName.toLowerCase()}.${String(outer.className).slice(0, 40)}`
        const box = boxOf(outer)
        if (style.scrollSnapType.startsWith('x') && right - left <= box.right - box.left) {
          left = Math.max(left, box.left)
          right = Math.min(Math.max(right, left), box.right)
          left = Math.min(left, right)
        }
        if (style.textOverflow === 'ellipsis') right = Math.min(right, left + 16)
        if (style.overflowX !== 'visible' && (left < box.left - slack || right > box.right + slack))
          return `${Math.round(left)}–${Math.round(right)} of ${Math.round(box.left)}–${Math.round(box.right)} in ${name}`
        scrollsDown ||= style.overflowY === 'auto' || style.overflowY === 'scroll'
        if (
          !scrollsDown &&
          style.overflowY !== 'visible' &&
          (top < box.top - slack || bottom > box.bottom + slack)
        )
          return `${Math.round(top)}–${Math.round(bottom)} down, of ${Math.round(box.top)}–${Math.round(box.bottom)} in ${name}`
      }
      if (left < -slack || right > innerWidth + slack)
        return `${Math.round(left)}–${Math.round(right)} of ${innerWidth}`
      return null
    }

    /** The column of a strip that stops at each of them. */
    const columnOf = (element: Element): Element | null => {
      const strip = element.parentElement
      if (!strip) return null
      return getComputedStyle(strip).scrollSnapType.startsWith('x') ? element : columnOf(strip)
    }

    const coveredBy = (element: Element): string | null => {
      element.scrollIntoView({ block: 'center', inline: 'nearest' })
      columnOf(element)?.scrollIntoView({ block: 'nearest', inline: 'start' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      if (style.pointerEvents === 'none') return null
      const middle = Math.min(left + width / 2, innerWidth - 1)
      const at = document.elementFromPoint(middle, top + height / 2)
      if (!at || at.contains(element) || element.contains(at)) return null
      if (at.closest('label')?.contains(element)) return null
      return `covered by ${at.tagName.toLowerCase()}.${String(at.className).slice(0, 40)}`
    }

    const dialogs = [
      ...document.querySelectorAll('[role=dialog], [role=menu], .mantine-Combobox-dropdown'),
    ].filter((one) => one.checkVisibility())
    const root = dialogs.at(-1) ?? document.body
    const scrolled = [...document.querySelectorAll('*')]
      .filter((one) => one.scrollTop > 0)
      .map((one) => ({ one, top: one.scrollTop }))
    const found: string[] = []
    for (const element of root.querySelectorAll<HTMLElement>(kinds)) {
      const shown = shownFor(element)
      const { width, height } = shown.getBoundingClientRect()
      if (width < 4 || height < 4) continue
      if (!shown.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (element.closest('[aria-hidden=true], [inert], [data-disabled], :disabled')) continue
      const fault = beyond(shown) ?? coveredBy(shown)
      if (!fault) continue
      const name = element.getAttribute('aria-label') ?? shown.textContent ?? ''
      found.push(`${element.tagName.toLowerCase()} “${name.trim().slice(0, 32)}”: ${fault}`)
    }
    for (const one of document.querySelectorAll('*')) if (one.scrollTop > 0) one.scrollTop = 0
    for (const { one, top } of scrolled) one.scrollTop = top
    return found
  })
  return faults
}
