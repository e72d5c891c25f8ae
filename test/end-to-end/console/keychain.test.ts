import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { restartLocked } from '../../main/manage/keychain/locked-gateway.ts'
import { OWNER } from '../../main/manage/management.ts'
import { launchBrowser } from '../../support/pages/browser.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { watchedPage } from '../../support/pages/watched-page.ts'

const looks = [
  { name: 'light', options: { colorScheme: 'light', locale: 'en-US' } },
  { name: 'dark', options: { colorScheme: 'dark', locale: 'zh-CN' } },
  {
    name: 'narrow',
    options: { colorScheme: 'light', locale: 'en-US', viewport: { width: 420, height: 800 } },
  },
] as const

test('a locked keychain is told on every page, and one click opens it', async () => {
  const rendererFolder = join(import.meta.dirname, '../../../dist/renderer')
  const { gateway, keychain } = await restartLocked('denied', undefined, { rendererFolder })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  for (const { name, options } of looks) {
    const { page, context, picture } = await watchedPage(browser, options)
    const login = await context.request.post(`${gateway.url}/api/user/login`, { data: OWNER })
    expect(login.ok()).toBe(true)
    await page.goto(`${gateway.url}/console/channels`)
    const banner = page.getByRole('alert')
    const [again, forget] = [banner.getByRole('button').first(), banner.getByRole('button').last()]
    await again.waitFor()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    const title = name === 'dark' ? /^钥匙串已锁定/ : /^Keychain locked/
    expect(await banner.textContent()).toMatch(title)
    const badge = name === 'dark' ? '钥匙串已锁定' : 'keychain locked'
    const inList = page.getByRole('table').getByText(badge, { exact: true })
    await inList.waitFor()
    await picture(`keychain-${name}`)
    expect(await pageFaults(page), name).toEqual([])

    await forget.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button').last().waitFor()
    await picture(`keychain-${name}-forget`)
    expect(await pageFaults(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    if (name !== looks.at(-1)?.name) continue
    keychain.refusal = null
    await again.click()
    await banner.waitFor({ state: 'detached' })
    await inList.waitFor({ state: 'detached' })
  }
})
