import type { Page } from 'playwright'
import { common as chinese } from '../../../renderer/i18n/chinese/shell/shell.ts'
import { common as english } from '../../../renderer/i18n/english/shell/shell.ts'

const nowhere = new RegExp(`^(${english.pageMissing}|${chinese.pageMissing})$`)

/**
 * Goes to a path below /console as a click in the console does, since loading the console anew takes longer. First to
 * no page at all, which closes what is open and tells the new page from the one before.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const go = (to: string) =>
    page.evaluate((next) => history.pushState(null, '', next), `/console${to}`)
  const missing = page.getByRole('heading', { level: 1, name: nowhere })
  await go('/no-such-page')
  await missing.waitFor({ state: 'attached' })
  const opened = page
    .locator('[role=dialog], [role=menu], .mantine-Combobox-dropdown')
    .filter({ visible: true })
  if (await opened.count()) await page.keyboard.press('Escape')
  await opened.first().waitFor({ state: 'hidden' })
  if (path === '/no-such-page') return
  await go(path)
  await missing.waitFor({ state: 'detached' })
}
