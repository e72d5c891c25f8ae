import { resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startUnset } from '../../main/manage/management.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'
import { launchBrowser } from '../../support/pages/browser.ts'
import { firstPlace, firstWalk, RIGHT } from '../../support/pages/first-walk.ts'
import { watchedPage } from '../../support/pages/watched-page.ts'

test('from the very first page to a tool’s first call in eight clicks, with a key that is wrong and then right', async () => {
  const place = await firstPlace()
  vi.stubEnv('HOME', place.home)
  vi.stubEnv('USERPROFILE', place.home)
  const { gateway } = await startUnset({ rendererFolder: resolve('dist/renderer') })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const { page, picture, problems } = await watchedPage(browser)
  const began = Date.now()
  // Nothing but the address: the first page leads to the first run.
  await page.goto(`${gateway.url}/console`)
  const clicks = await firstWalk(page, place, {
    password: 'correct horse',
    async look(stop) {
      await picture(`first-run-${stop}`)
      if (stop === 'refused') expect(gateway.parts.channels.all()).toEqual([])
      const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : undefined
      expect(await axeFaultsInBothThemes(page, within), stop).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    },
  })
  console.log(`first walk over HTTP: ${Date.now() - began} ms, ${clicks.join(' · ')}`)
  expect(clicks).toHaveLength(8)
  expect(gateway.parts.channels.all()).toMatchObject([{ key: RIGHT, models: ['small-mini'] }])
  expect(problems).toEqual([])
})
