import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchAgain,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'

const folder = temporaryFolder()
let desktop: Desktop

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path, page: 'empty' })
  await desktop.page()
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

const isVisible = () =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), null)

const clickMenu = (id: string) =>
  desktop.evaluate(
    ({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(),
    id,
  )

/** Electron lets nobody look at a tray; the stand-in's can be clicked. */
const clickTray = (id: string) =>
  desktop.evaluate((electron, wanted) => {
    const { all } = electron.Tray as unknown as { all: { choose(id: string): void }[] }
    all[0]?.choose(wanted)
  }, id)

const readClipboard = () => desktop.evaluate(({ clipboard }) => clipboard.readText(), null)
const emptyClipboard = () => desktop.evaluate(({ clipboard }) => clipboard.writeText(''), null)

const closeWindow = () =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null)

async function baseUrl(): Promise<string> {
  await clickMenu('copy-base-url')
  return readClipboard()
}

describe('the window', () => {
  test('shows itself once its page is there', async () => {
    await expect.poll(isVisible).toBe(true)
  })

  test('hides when it is closed, and the gateway goes on', async () => {
    const url = await baseUrl()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await closeWindow()
    expect(await isVisible()).toBe(false)
    expect((await fetch(`${url}/api/status`)).status).toBe(200)
  })

  test('comes back when the app is started a second time, and the second one ends', async () => {
    await closeWindow()
    expect(await launchAgain({ folder: folder.path })).toBe(0)
    await expect.poll(isVisible).toBe(true)
  })

  test.skipIf(isRealElectron)('opens from the tray, which also copies the base URL', async () => {
    await closeWindow()
    await clickTray('open')
    expect(await isVisible()).toBe(true)
    await emptyClipboard()
    await clickTray('copy-base-url')
    expect(await readClipboard()).toBe(await baseUrl())
  })

  test('has keys for the base URL that leave Ctrl+C and Cmd+C to the selected text', async () => {
    const keys = await desktop.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('copy-base-url')?.accelerator,
      null,
    )
    expect(keys).toBe('CmdOrCtrl+Shift+C')
  })

  test('may copy, and may nothing else that needs a permission', async () => {
    const page = await desktop.page()
    const failure = await page.evaluate(() =>
      navigator.clipboard.writeText('sk-copied').then(
        () => '',
        (error) => String(error),
      ),
    )
    expect(failure).toBe('')
    const asked = await page.evaluate(() => Notification.requestPermission())
    expect(asked).not.toBe('granted')
  })

  test('stays at the console whatever the page is told to open', async () => {
    const page = await desktop.page()
    const before = page.url()
    await page.evaluate(() => {
      location.href = 'https://elsewhere.example/'
    })
    await page.waitForTimeout(300)
    expect(page.url()).toBe(before)
    expect(await page.evaluate(() => window.switchyard !== undefined)).toBe(true)
  })

  test('hands https links to the browser of the system, and opens no window for any link', async () => {
    const page = await desktop.page()
    await desktop.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = async (url) => {
        opened.push(url)
        throw new Error('No browser')
      }
    }, null)
    const links = [
      'https://vendor.example/keys',
      'http://vendor.example/plain',
      'https://name:word@vendor.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '/console/channels',
    ]
    await page.evaluate((all) => {
      for (const link of all) window.open(link)
    }, links)
    await expect
      .poll(() => desktop.evaluate(() => Reflect.get(globalThis, 'opened') as string[], null))
      .toEqual(['https://vendor.example/keys'])
    const count = await desktop.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows().length,
      null,
    )
    expect(count).toBe(1)
    // A system without a browser costs the link, and nothing else.
    await expect.poll(() => desktop.stderr()).toContain('the system opened no browser for a link')
  })
})

test.skipIf(isRealElectron)('menu and tray speak Chinese on a Chinese system', async () => {
  const own = temporaryFolder()
  const env = { STAND_IN_LOCALE: 'zh-CN' }
  const chinese = await launchDesktop({ folder: own.path, env, page: 'none' })
  try {
    const label = () =>
      chinese.evaluate(
        ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('copy-base-url')?.label,
        null,
      )
    await expect.poll(label).toBe('复制 Base URL')
  } finally {
    await chinese.close()
    own.remove()
  }
})
