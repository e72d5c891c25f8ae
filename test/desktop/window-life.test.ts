import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchAgain,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { clickBox, openBoxes } from '../support/desktop/message-boxes.ts'

// Some start the app, and wait for it to end.
vi.setConfig({ testTimeout: 60_000 })

const patience = { timeout: 30_000 }

const isVisible = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), null)

const windowCount = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)

const close = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null)

const show = (desktop: Desktop) =>
  desktop.evaluate(({ app }) => app.emit('activate', {}, false), null)

const crash = (desktop: Desktop) =>
  desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    null,
  )

const isCrashed = (desktop: Desktop) =>
  desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isCrashed(),
    null,
  )

const untilVisible = (desktop: Desktop) =>
  vi.waitFor(async () => expect(await isVisible(desktop)).toBe(true), { timeout: 30_000 })

const urlOf = (desktop: Desktop) =>
  desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    null,
  )

/** Whether the console is there: its bridge answers. */
const answers = (desktop: Desktop) =>
  desktop.evaluate(
    async ({ BrowserWindow }) =>
      String(
        await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          "window.switchyard.call('setup.status', {}).then(({ ok }) => ok)",
        ),
      ),
    null,
  )

describe('the window', () => {
  const folder = temporaryFolder()
  let desktop: Desktop

  beforeAll(async () => {
    desktop = await launchDesktop({ folder: folder.path, page: 'empty' })
    await desktop.page()
    await untilVisible(desktop)
  })

  afterAll(async () => {
    await desktop?.close()
    folder.remove()
  })

  afterEach(async () => {
    await show(desktop)
    await untilVisible(desktop)
  })

  test('that is closed in fullscreen leaves it first, and hides only then', async () => {
    await desktop.evaluate(async ({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]
      const entered = new Promise<void>((resolve) =>
        window?.once('enter-full-screen', () => resolve()),
      )
      window?.setFullScreen(true)
      await entered
    }, null)
    await close(desktop)
    await expect.poll(() => isVisible(desktop)).toBe(false)
    const states = await desktop.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const isBlack = Reflect.get(window ?? {}, 'wasHiddenInFullScreen') === true
      return [window?.isFullScreen(), isBlack]
    }, null)
    expect(states).toEqual([false, false])
  })

  test('gets its page back where it was when that crashes', async () => {
    const page = await desktop.page()
    await page.evaluate(() => history.pushState(null, '', '/console/settings'))
    await expect.poll(() => urlOf(desktop)).toBe('app://console/console/settings')
    await crash(desktop)
    await expect.poll(() => isCrashed(desktop), patience).toBe(false)
    await expect.poll(() => answers(desktop).catch(() => ''), patience).toBe('true')
    expect(await urlOf(desktop)).toBe('app://console/console/settings')
    expect(desktop.stderr()).toContain('the page of the console is gone')
  })

  test('that is hidden gets its page back when it is shown', async () => {
    await close(desktop)
    await crash(desktop)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await isCrashed(desktop)).toBe(true)
    await show(desktop)
    await expect.poll(() => answers(desktop).catch(() => ''), patience).toBe('true')
  })

  test.skipIf(isRealElectron)('that hangs asks whether to wait or to reload', async () => {
    const hang = () =>
      desktop.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'),
        null,
      )
    await hang()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    expect((await openBoxes(desktop))[0]?.buttons).toEqual(['Reload', 'Wait'])
    // It came back by itself: nothing is left to ask.
    await desktop.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('responsive'),
      null,
    )
    expect(await openBoxes(desktop)).toEqual([])
    await hang()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    const before = desktop.stderr().split('is gone').length
    await clickBox(desktop, 'Reload')
    await expect.poll(() => desktop.stderr().split('is gone').length).toBe(before + 1)
    await expect.poll(() => answers(desktop).catch(() => ''), patience).toBe('true')
  })

  test('that is hidden for long lets its page go unless it holds edits, and comes back where it was', async () => {
    await desktop.evaluate(() => {
      const original = globalThis.setTimeout
      Object.assign(globalThis, {
        setTimeout: (run: () => void, milliseconds = 0) =>
          original(run, milliseconds >= 600_000 ? 200 : milliseconds),
      })
    }, null)
    await desktop.evaluate(
      ({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          "history.pushState(null, '', '/console/calls?model=x')",
        ),
      null,
    )
    await expect.poll(() => urlOf(desktop)).toContain('/calls')
    const hasEdits = (has: boolean) =>
      desktop.evaluate(
        ({ BrowserWindow }, has) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            `document.documentElement.toggleAttribute('data-unsaved', ${has})`,
          ),
        has,
      )
    await hasEdits(true)
    await close(desktop)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await windowCount(desktop)).toBe(1)
    await hasEdits(false)
    await show(desktop)
    await close(desktop)
    await expect.poll(() => windowCount(desktop), patience).toBe(0)
    expect(await launchAgain({ folder: folder.path })).toBe(0)
    await expect.poll(() => windowCount(desktop), patience).toBe(1)
    await expect.poll(() => answers(desktop).catch(() => ''), patience).toBe('true')
    expect(await urlOf(desktop)).toBe('app://console/console/calls?model=x')
  })

  test('follows no redirect to elsewhere', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(request.url === '/start' ? 302 : 200, { location: '/end' })
      response.end('elsewhere')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const failure = await desktop.evaluate(async ({ BrowserWindow }, url) => {
      const [window] = BrowserWindow.getAllWindows()
      return window?.loadURL(url).then(() => 'loaded', String)
    }, `http://127.0.0.1:${port}/start`)
    server.closeAllConnections()
    server.close()
    expect(failure).toContain('ERR_ABORTED (-3)')
    expect(asked).toEqual(['/start'])
  })
})

describe.skipIf(isRealElectron)('a page that is still loading', () => {
  const folder = temporaryFolder()
  let desktop: Desktop

  beforeEach(async () => {
    desktop = await launchDesktop({
      folder: folder.path,
      page: 'empty',
      env: { STAND_IN_ANSWER_DELAY: '1500' },
    })
    await vi.waitFor(async () => expect(await windowCount(desktop)).toBe(1), { timeout: 30_000 })
  })

  afterEach(() => desktop?.close())
  afterAll(() => folder.remove())

  test('does not turn quitting into a start that failed', async () => {
    await desktop.evaluate(({ app }) => setTimeout(() => app.quit(), 0) && null, null)
    expect(await desktop.exited).toBe(0)
    expect(desktop.stderr()).not.toContain('[error box]')
  })

  test('may crash: the gateway goes on, and the page is loaded anew', async () => {
    await crash(desktop)
    await expect.poll(() => answers(desktop).catch(() => ''), patience).toBe('true')
    expect(desktop.stderr()).not.toContain('[error box]')
  })
})

describe.skipIf(isRealElectron)('where the window was', () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'window.json')
  afterAll(() => folder.remove())

  const boundsWith = async (displays?: object[]) => {
    const desktop = await launchDesktop({
      folder: folder.path,
      page: 'none',
      env: displays ? { STAND_IN_DISPLAYS: JSON.stringify(displays) } : {},
    })
    try {
      await untilVisible(desktop)
      return await desktop.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        return { ...window?.getNormalBounds(), isMaximized: window?.isMaximized() }
      }, null)
    } finally {
      await desktop.close()
    }
  }

  test('it opens again, on a display that is still there', async () => {
    const desktop = await launchDesktop({ folder: folder.path, page: 'none' })
    await untilVisible(desktop)
    await desktop.evaluate(({ app, BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      window?.setBounds({ x: 2100, y: 40, width: 1000, height: 700 })
      window?.maximize()
      setTimeout(() => app.quit(), 0)
    }, null)
    expect(await desktop.exited).toBe(0)
    const kept = { x: 2100, y: 40, width: 1000, height: 700, isMaximized: true }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(kept)

    const two = [
      { x: 0, y: 0, width: 1920, height: 1040 },
      { x: 1920, y: 0, width: 1920, height: 1040 },
    ]
    expect(await boundsWith(two)).toEqual(kept)
    // The second display was taken away, and the window with it.
    expect(await boundsWith()).toMatchObject({ x: 100, width: 1280, isMaximized: false })
  })

  test('is forgotten where its title bar would be out of reach, and kept where an edge hangs over', async () => {
    const at = async (x: number, y: number) => {
      writeFileSync(file, JSON.stringify({ x, y, width: 1000, height: 700, isMaximized: false }))
      const bounds = await boundsWith([{ x: 0, y: 0, width: 1920, height: 1040 }])
      return bounds.x === x && bounds.y === y
    }
    expect(await at(100, -30)).toBe(false)
    expect(await at(100, 1000)).toBe(false)
    expect(await at(-850, 900)).toBe(true)
  })

  test('is forgotten when the file says nonsense', async () => {
    for (const text of ['{', '{"x":"0","y":0,"width":1e9}']) {
      writeFileSync(file, text)
      expect(await boundsWith()).toMatchObject({ width: 1280, height: 820 })
    }
  })
})
