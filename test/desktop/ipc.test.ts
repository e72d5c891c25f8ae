import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallResult } from '../../preload/contract.ts'
import { type Desktop, launchDesktop, temporaryFolder } from '../support/desktop/launch-desktop.ts'

const folder = temporaryFolder()
let desktop: Desktop
let page: Page

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path, page: 'empty' })
  page = await desktop.page()
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

const call = (name: string, input: unknown): Promise<CallResult> =>
  page.evaluate(([wanted, given]) => window.switchyard?.call(wanted, given) as never, [
    name,
    input,
  ] as const)

describe('the bridge', () => {
  test('is all that the page gets: no Node, no Electron, nothing that can be replaced', async () => {
    const seen = await page.evaluate(() => {
      const bridge = window.switchyard
      const before = bridge?.call
      try {
        Reflect.set(bridge ?? {}, 'call', () => 'mine')
        Reflect.set(window, 'switchyard', undefined)
      } catch {}
      return {
        keys: Object.keys(window.switchyard ?? {}).sort(),
        isSame: window.switchyard?.call === before,
        globals: ['require', 'process', 'module', 'ipcRenderer', 'electron', 'Buffer'].filter(
          (name) => name in window,
        ),
      }
    })
    expect(seen).toEqual({ keys: ['call', 'on', 'platform', 'stream'], isSame: true, globals: [] })
  })

  test('refuses what cannot be copied, before anything is sent', async () => {
    const failure = await page.evaluate(async () => {
      try {
        await window.switchyard?.call('setup.status', { input: () => 1 })
        return ''
      } catch (error) {
        return String(error)
      }
    })
    expect(failure).toContain('could not be cloned')
  })
})

describe('calls of the console', () => {
  test('are answered with the data of the operation', async () => {
    expect(await call('setup.status', {})).toMatchObject({ ok: true, data: { status: false } })
  })

  test('are refused by name when there is no such operation, whatever objects have by birth', async () => {
    for (const name of ['nothing.here', 'constructor', '__proto__', 'toString', '']) {
      expect(await call(name, {})).toMatchObject({ ok: false, error: { code: 'not_found' } })
    }
    const odd = await page.evaluate(() => window.switchyard?.call(7 as never, {}))
    expect(odd).toMatchObject({ ok: false })
  })

  test('are checked by the schema of the operation, which names the field', async () => {
    expect(await call('setup.run', { username: 7 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_params', field: 'username', status: 400 },
    })
    expect(await call('setup.run', { surprise: true })).toMatchObject({ ok: false })
    expect(await call('setup.run', 'a text')).toMatchObject({ ok: false })
    expect(await call('setup.status', {})).toMatchObject({ ok: true, data: { status: false } })
  })

  test('need an owner: before the first run the window may do nothing else', async () => {
    expect(await call('token.list', {})).toMatchObject({
      ok: false,
      error: { code: 'unauthenticated', status: 401 },
    })
  })

  test('that stream say in the stream what is wrong', async () => {
    const events = await page.evaluate(
      () =>
        new Promise<unknown[]>((resolve) => {
          const heard: unknown[] = []
          window.switchyard?.stream('playground.chat', { model: 7 }, (event) => {
            heard.push(event)
            if (event.type === 'end' || event.type === 'error') resolve(heard)
          })
        }),
    )
    expect(events).toMatchObject([{ type: 'error', message: expect.any(String) }])
  })
})

describe('messages from elsewhere', () => {
  test('are refused from another window, even when it shows the console', async () => {
    const answer = await desktop.evaluate(async ({ app, BrowserWindow }) => {
      const preload = `${app.getAppPath()}/dist/preload/preload.cjs`
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      await other.loadURL('app://console/console/')
      const text: unknown = await other.webContents.executeJavaScript(
        "window.switchyard.call('setup.status', {}).then(JSON.stringify, String)",
      )
      other.destroy()
      return String(text)
    }, null)
    expect(answer).toContain('Only the console may call operations')
  })

  test('are refused from the window itself when another page is in it', async () => {
    const answer = await desktop.evaluate(async ({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]
      await window?.loadURL('data:text/html,<p>elsewhere</p>')
      const text: unknown = await window?.webContents.executeJavaScript(
        "window.switchyard.call('setup.status', {}).then(JSON.stringify, String)",
      )
      await window?.loadURL('app://console/console/')
      return String(text)
    }, null)
    expect(answer).toContain('Only the console may call operations')
    // The page hears a little later that it was left.
    await expect.poll(() => call('setup.status', {}).catch(() => null)).toMatchObject({ ok: true })
  })

  test.each([
    ['a frame inside the page, even when it shows the console', 'app://console/console/'],
    ['a frame that is gone by now', null],
  ])('are refused from %s', async (_what, url) => {
    const before = desktop.stderr().split('refused a message').length
    await desktop.evaluate(({ BrowserWindow, ipcMain }, inner) => {
      const sender = BrowserWindow.getAllWindows()[0]?.webContents
      const senderFrame = inner && { url: inner, parent: { url: 'app://console/console/' } }
      ipcMain.emit('operation.stream', { sender, senderFrame }, 7, 'playground.chat', {})
    }, url)
    await expect.poll(() => desktop.stderr().split('refused a message').length).toBe(before + 1)
  })
})

test('what the gateway pushes reaches only those who listen for it', async () => {
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told })
    window.switchyard?.on('calls', () => told.push('calls'))
    window.switchyard?.on('server', () => told.push('server'))
    // A page that was left listens no more.
    const end = window.switchyard?.on('calls', () => told.push('left'))
    end?.()
  })
  const told = () => page.evaluate(() => Reflect.get(window, 'told') as string[])
  await desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.send('pushed', 'server'),
    null,
  )
  await expect.poll(told).toEqual(['server'])
  await desktop.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.send('pushed', 'calls'),
    null,
  )
  await expect.poll(told).toEqual(['server', 'calls'])
})
