import type { i18n } from 'i18next'
import { placedTooltip } from './components/feedback/tip.tsx'
import { searchDialog } from './components/shell/global-search.tsx'
import { healthPopover } from './components/shell/health-state.tsx'
import { loadAllTexts } from './i18n/load-texts.ts'
import { pageRoutes } from './page-routes.ts'

/** Milliseconds to wait where the browser doesn’t tell when it’s idle. */
const pause = 300

/**
 * Whether the browser was told to save data.
 *
 * https://developer.mozilla.org/en-US/docs/Web/API/NetworkInformation/saveData
 */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false

/**
 * Loads all texts and the other pages, one by one whenever the browser has nothing to do, so that no page waits for
 * them; nothing in a browser that saves data.
 */
export function prefetchPages(translation: i18n): void {
  if (savesData()) return
  const parts = [placedTooltip, healthPopover, searchDialog, ...pageRoutes.map(({ page }) => page)]
  const loads = [() => loadAllTexts(translation), ...parts.map((part) => () => part.load())]
  const loadNext = () => {
    const load = loads.shift()
    // After a failure none is asked for ahead of time; the page that needs it says so.
    load?.().then(whenIdle, () => {})
  }
  const whenIdle = () => {
    if (window.requestIdleCallback) window.requestIdleCallback(loadNext)
    else setTimeout(loadNext, pause)
  }
  whenIdle()
}
