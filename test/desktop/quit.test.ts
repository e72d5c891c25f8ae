import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchAgain,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { clickBox, openBoxes, pressEscape } from '../support/desktop/message-boxes.ts'
import { openSlowUpstream, type SlowUpstream } from '../support/upstreams/slow-upstream.ts'

// Each starts the app, and waits for it to end.
vi.setConfig({ testTimeout: 60_000 })

let folder: { path: string; remove(): void }
let desktop: Desktop
let upstream: SlowUpstream

async function launch(drainSeconds: number, page?: 'none'): Promise<void> {
  desktop = await launchDesktop({
    folder: folder.path,
    ...(page && { page }),
    env: { SWITCHYARD_DRAIN_SECONDS: String(drainSeconds) },
  })
  upstream = await openSlowUpstream(desktop)
}

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(async () => {
  await desktop?.close()
  upstream?.close()
  folder.remove()
})

const quit = () => desktop.evaluate(({ app }) => setTimeout(() => app.quit(), 0) && null, null)

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The type of the error that a call ended with, as its client sees it. */
async function errorOf(answer: Promise<Response>): Promise<unknown> {
  const response = await answer
  expect(response.status).toBe(503)
  return ((await response.json()) as { error: { code: unknown } }).error.code
}

test('with nothing under way quitting asks nothing, and lets go of the data folder', async () => {
  await launch(3, 'none')
  await quit()
  expect(await desktop.exited).toBe(0)
  expect(existsSync(join(folder.path, 'lock'))).toBe(false)
  expect(desktop.stderr()).not.toContain('[error box]')
})

test.skipIf(isRealElectron)('quitting with edits in the console asks first', async () => {
  await launch(3)
  const page = await desktop.page()
  await page.evaluate(() => window.switchyard?.call('setup.run', {}))
  await page.goto(page.url().replace(/\/console\/.*/, '/console/settings/security'))
  await page.getByLabel('New password', { exact: true }).fill('typed')
  await quit()
  await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
  expect((await openBoxes(desktop))[0]).toMatchObject({
    message: 'Quit without saving?',
    buttons: ['Keep editing', 'Quit now'],
  })
  await clickBox(desktop, 'Keep editing')
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('typed')
  await quit()
  await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
  await clickBox(desktop, 'Quit now')
  expect(await desktop.exited).toBe(0)
})

describe.skipIf(isRealElectron)('with a call under way', () => {
  test.each([
    ['Cancel', () => clickBox(desktop, 'Cancel')],
    ['Escape', () => pressEscape(desktop)],
  ])('quitting asks, and %s leaves everything as it was', async (_how, decline) => {
    await launch(1, 'none')
    const { answer } = await upstream.begin()
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    expect(await openBoxes(desktop)).toEqual([
      {
        message: '1 running call',
        detail: expect.any(String),
        buttons: ['Quit when done', 'Quit now', 'Cancel'],
        // On macOS a box without a parent window would block the whole process.
        hasParent: true,
      },
    ])
    await quit()
    await wait(200)
    expect(await openBoxes(desktop)).toHaveLength(1)
    await decline()
    await wait(1500)
    upstream.release()
    expect((await answer).status).toBe(200)
    const { answer: next } = await upstream.begin()
    upstream.release()
    expect((await next).status).toBe(200)
  })

  test('Quit when done waits for it, however long it takes, and takes no new one', async () => {
    await launch(1, 'none')
    const { answer } = await upstream.begin()
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    await clickBox(desktop, 'Quit when done')
    await wait(3500)
    // A second quit shows what the app is waiting for.
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    expect((await openBoxes(desktop))[0]?.buttons).toEqual(['Keep waiting', 'Quit now'])
    await clickBox(desktop, 'Keep waiting')
    upstream.release()
    const response = await answer
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id: '1' })
    expect(await desktop.exited).toBe(0)
    expect(existsSync(join(folder.path, 'lock'))).toBe(false)
  })

  test.skipIf(isRealElectron)('the last call that ends takes the question with it', async () => {
    await launch(1, 'none')
    const { answer } = await upstream.begin()
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    await clickBox(desktop, 'Quit when done')
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    await desktop.evaluate(({ app, dialog }) => {
      const { open } = dialog as unknown as { open: unknown[] }
      app.on('will-quit', () => process.stderr.write(`boxes at the end: ${open.length}.`))
    }, null)
    upstream.release()
    expect((await answer).status).toBe(200)
    expect(await desktop.exited).toBe(0)
    expect(desktop.stderr()).toContain('boxes at the end: 0.')
  })

  test('Quit now ends it with an error in its own format', async () => {
    await launch(30, 'none')
    const { answer } = await upstream.begin()
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    const began = performance.now()
    await clickBox(desktop, 'Quit now')
    expect(await errorOf(answer)).toBe('shutting_down')
    expect(await desktop.exited).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('a signal', () => {
  test('asks nothing, and gives the call its time', async () => {
    await launch(10, 'none')
    const { answer } = await upstream.begin()
    desktop.kill('SIGTERM')
    await wait(500)
    upstream.release()
    expect((await answer).status).toBe(200)
    expect(await desktop.exited).toBe(0)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'a second %s ends the call at once, with an error in its own format',
    async (signal) => {
      await launch(30, 'none')
      const { answer } = await upstream.begin()
      const began = performance.now()
      desktop.kill(signal)
      // The same signal, passed on by another process that got it: no second request.
      desktop.kill(signal)
      // Less than a second after it was heard, it would be the first one once more.
      await wait(2500)
      desktop.kill(signal)
      expect(await errorOf(answer)).toBe('shutting_down')
      expect(await desktop.exited).toBe(0)
      expect(performance.now() - began).toBeLessThan(10_000)
      expect(existsSync(join(folder.path, 'lock'))).toBe(false)
    },
  )

  test.skipIf(isRealElectron)(
    'cuts short what “Quit when done” waits for, with an error',
    async () => {
      await launch(1, 'none')
      const { answer } = await upstream.begin()
      await quit()
      await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
      await clickBox(desktop, 'Quit when done')
      await wait(200)
      desktop.kill('SIGTERM')
      expect(await errorOf(answer)).toBe('shutting_down')
      expect(await desktop.exited).toBe(0)
      expect(existsSync(join(folder.path, 'lock'))).toBe(false)
    },
  )

  test.skipIf(isRealElectron)('takes the place of an answer to the question', async () => {
    await launch(1, 'none')
    const { answer } = await upstream.begin()
    await quit()
    await expect.poll(() => openBoxes(desktop)).toHaveLength(1)
    desktop.kill('SIGTERM')
    expect(await errorOf(answer)).toBe('shutting_down')
    expect(await desktop.exited).toBe(0)
  })
})

test('a second launch and a click in the Dock while calls end change nothing', async () => {
  await launch(20, 'none')
  const { answer } = await upstream.begin()
  desktop.kill('SIGTERM')
  await wait(500)
  expect(await launchAgain({ folder: folder.path })).toBe(0)
  const windows = await desktop.evaluate(async ({ app, BrowserWindow }) => {
    app.emit('activate', {}, false)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return BrowserWindow.getAllWindows().length
  }, null)
  expect(windows).toBe(0)
  upstream.release()
  expect((await answer).status).toBe(200)
  expect(await desktop.exited).toBe(0)
  expect(desktop.stderr()).not.toContain('uncaught exception')
})

test('a gateway that does not come to its end keeps the app only so long', async () => {
  await launch(1, 'none')
  await desktop.evaluate(() => {
    // The gateway's stop ends with a wait for such a timer, which now never fires.
    const { promises } = process.getBuiltinModule('node:timers')
    promises.setTimeout = () => new Promise<never>(() => {})
  }, null)
  const began = performance.now()
  await quit()
  expect(await desktop.exited).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(2500)
  expect(performance.now() - began).toBeLessThan(15_000)
})

test.skipIf(isRealElectron)(
  'when the system goes down calls end now, and nobody is asked',
  async () => {
    await launch(30, 'none')
    const { answer } = await upstream.begin()
    const isPrevented = await desktop.evaluate(({ powerMonitor }) => {
      let prevented = false
      const event = { preventDefault: () => (prevented = true) }
      ;(powerMonitor as unknown as NodeJS.EventEmitter).emit('shutdown', event)
      return prevented
    }, null)
    // Preventing the event asks Electron for more time.
    expect(isPrevented).toBe(true)
    expect(await errorOf(answer)).toBe('shutting_down')
    expect(await desktop.exited).toBe(0)
  },
)
