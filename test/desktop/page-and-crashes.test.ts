import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { clickBox, openBoxes } from '../support/desktop/message-boxes.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const patience = { timeout: 30_000 }
const folder = temporaryFolder()
let desktop: Desktop

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path })
  const page = await desktop.page()
  await page.evaluate(() => window.switchyard?.call('setup.run', {}))
  // The page saw a first run, and shows nothing else until it is loaded anew.
  await page.reload()
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

/** Electron lets nobody look at a tray; the stand-in's can be clicked. */
const choose = (id: string) =>
  desktop.evaluate((electron, wanted) => {
    const { all } = electron.Tray as unknown as { all: { choose(id: string): void }[] }
    all[0]?.choose(wanted)
  }, id)

const activate = () => desktop.evaluate(({ app }) => app.emit('activate', {}, false), null)

const crash = () =>
  desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    null,
  )

const isCrashed = () =>
  desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isCrashed(),
    null,
  )

const isVisible = () =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), null)

const hide = () =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null)

/** The result of `code` in the page, as text; empty while there is no page. */
const inPage = (code: string) =>
  desktop
    .evaluate(
      async ({ BrowserWindow }, wanted) =>
        String(await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(wanted)),
      code,
    )
    .catch(() => '')

const headingNow = () => inPage("document.querySelector('h1')?.textContent ?? ''")
const pathNow = () => inPage('location.pathname')

// A tray cannot be clicked on Electron itself.
describe.skipIf(isRealElectron)('a page that the tray names', () => {
  beforeEach(async () => {
    await activate()
    await expect.poll(isVisible, patience).toBe(true)
    await expect.poll(headingNow, patience).not.toBe('')
  })

  test('is shown in the open page, which is not loaded anew', async () => {
    await inPage("void (window.draft = 'half a sentence')")
    await choose('open-channels')
    await expect.poll(headingNow, patience).toBe('Channels')
    expect(await pathNow()).toBe('/console/channels')
    await choose('open-calls')
    await expect.poll(headingNow, patience).toBe('Calls')
    expect(await inPage('window.draft')).toBe('half a sentence')
    // Back leads to the page before, not out of the console.
    await inPage('void history.back()')
    await expect.poll(headingNow, patience).toBe('Channels')
  })

  test('is shown in a window that was hidden, and comes to the front', async () => {
    await hide()
    expect(await isVisible()).toBe(false)
    await choose('open-settings')
    expect(await isVisible()).toBe(true)
    await expect.poll(headingNow, patience).toBe('Settings')
  })

  test('is shown where the page had crashed meanwhile', async () => {
    await hide()
    await crash()
    await choose('open-calls')
    await expect.poll(headingNow, patience).toBe('Calls')
    expect(await isCrashed()).toBe(false)
  })

  test('is shown where the window was let go', async () => {
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy(), null)
    await choose('open-channels')
    await expect.poll(headingNow, patience).toBe('Channels')
    expect(await pathNow()).toBe('/console/channels')
    await expect.poll(isVisible, patience).toBe(true)
  })
})

test('a page that crashes again and again is loaded anew three times a minute, and then when it is asked for', async () => {
  await activate()
  // A minute later earlier crashes no longer count.
  await desktop.evaluate(() => {
    const { now } = performance
    performance.now = () => now.call(performance) + 61_000
  }, null)
  for (let time = 1; time <= 3; time++) {
    await crash()
    await expect.poll(headingNow, patience).not.toBe('')
  }
  await crash()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await isCrashed()).toBe(true)
  await activate()
  await expect.poll(headingNow, patience).not.toBe('')
})

test.skipIf(isRealElectron)(
  'a page that hangs is asked about again, where its question could not be shown before',
  async () => {
    await activate()
    await expect.poll(headingNow, patience).not.toBe('')
    const hang = () =>
      desktop.evaluate(
        ({ BrowserWindow }) => void BrowserWindow.getAllWindows()[0]?.emit('unresponsive'),
        null,
      )
    await desktop.evaluate(({ dialog }) => {
      const { showMessageBox } = dialog
      dialog.showMessageBox = () => {
        dialog.showMessageBox = showMessageBox
        return Promise.reject(new Error('No box'))
      }
    }, null)
    await hang()
    await hang()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    await clickBox(desktop, 'Wait')
  },
)

test('a process of Chromium that is gone is told in the log, and everything goes on', async () => {
  const details = { type: 'GPU', reason: 'killed', exitCode: 9, name: 'GPU process' }
  await desktop.evaluate(
    ({ app }, gone) => void app.emit('child-process-gone', {}, gone as never),
    details,
  )
  await expect.poll(() => desktop.stderr()).toMatch(/"type":"GPU","reason":"killed","exitCode":9/)
  await activate()
  await expect.poll(headingNow, patience).not.toBe('')
})
