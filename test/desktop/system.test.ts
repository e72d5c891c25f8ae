import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callOperation, tryOperation } from '../support/desktop/call-operation.ts'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { pageFaults } from '../support/pages/page-faults.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Starts and windows take long on a busy machine. */
const soon = { timeout: 30_000 }

let folder: { path: string; remove(): void }
let desktop: Desktop | undefined

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(async () => {
  await desktop?.close()
  desktop = undefined
  folder.remove()
})

const isVisible = (one: Desktop) =>
  one.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()),
    null,
  )

/** Runs operations as the console's page does; the first makes the owner. */
async function openPage(one: Desktop): Promise<Page> {
  const page = await one.page()
  await page.evaluate(() => window.switchyard?.call('setup.run', {}))
  return page
}

describe('a hidden start', () => {
  test('shows no window, nor does a second hidden one; a plain second start shows it', async () => {
    desktop = await launchDesktop({ folder: folder.path, flags: ['--hidden'], page: 'none' })
    await expect.poll(() => existsSync(join(folder.path, 'lock')), soon).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await isVisible(desktop)).toBe(false)

    const again = await launchDesktop({ folder: folder.path, flags: ['--hidden'] })
    expect(await again.exited).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await isVisible(desktop)).toBe(false)

    const shown = await launchDesktop({ folder: folder.path })
    expect(await shown.exited).toBe(0)
    await expect.poll(() => desktop && isVisible(desktop), soon).toBe(true)
  })
})

// The box is a window of the system that Electron waits for; the stand-in writes it to stderr.
describe.skipIf(isRealElectron)('flags of a start', () => {
  test.each([
    [['--port', 'http'], `"http" isn't a port`],
    [['--dataDir', '/x'], '--dataDir'],
    [['--reset-2fa'], 'not for the desktop'],
  ])('%j end it with 1, and a box that names the flag', async (flags, sentence) => {
    const one = await launchDesktop({ folder: folder.path, flags })
    expect(await one.exited).toBe(1)
    expect(one.stderr()).toContain('[error box] Switchyard can’t start')
    expect(one.stderr()).toContain(sentence)
    expect(existsSync(join(folder.path, 'lock'))).toBe(false)
  })

  test('--disconnect-all opens no window: it tells how it went, and ends', async () => {
    const flags = ['--disconnect-all']
    const none = await launchDesktop({ folder: folder.path, flags })
    expect(await none.exited).toBe(1)
    expect(none.stderr()).toBe(
      `${folder.path} holds no Switchyard. Name its folder with --data-dir.\n`,
    )
    writeFileSync(join(folder.path, 'state.json'), '{}')
    const done = await launchDesktop({ folder: folder.path, flags })
    expect([await done.exited, done.stderr()]).toEqual([0, ''])
  })

  test('--help says what there is, and ends with 0', async () => {
    const child = spawn(
      process.execPath,
      [...['./test/output/stand-in/electron-process.mjs'], ...['dist/main/desktop.js', '--help']],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(said).toContain('--hidden')
    expect(said).toContain('--data-dir DIR')
  })
})

describe.skipIf(isRealElectron || process.platform !== 'linux')(
  'starting at login on Linux',
  () => {
    const start = (env: Record<string, string>, page?: 'none') =>
      launchDesktop({
        folder: folder.path,
        ...(page && { page }),
        env: { XDG_CONFIG_HOME: join(folder.path, 'config'), ...env },
      })
    const file = () => join(folder.path, 'config', 'autostart', 'switchyard.desktop')
    const wanted = { open_at_login: true, start_hidden: true }

    test('of an installed app is switched in the settings, and off when its file is gone', async () => {
      desktop = await start({ STAND_IN_PACKAGED: '1' })
      const page = await openPage(desktop)
      await page.goto(page.url().replace(/\/console\/.*/, '/console/settings/desktop'))
      const atLogin = page.getByRole('switch', { name: 'Start at login' })
      await atLogin.waitFor()
      expect(await atLogin.isChecked()).toBe(false)
      await page.getByText('Start at login').click()
      await expect.poll(() => existsSync(file()), soon).toBe(true)
      const text = readFileSync(file(), 'utf8')
      expect(text).toContain(`Exec="${process.execPath}" `)
      // This one runs on a folder of its own: at login it has to be the same.
      expect(text).toContain(`"--data-dir=${folder.path}" "--hidden"`)
      await expect.poll(() => atLogin.isChecked(), soon).toBe(true)
      rmSync(file())
      await page.reload()
      await atLogin.waitFor()
      await expect.poll(() => atLogin.isChecked(), soon).toBe(false)
    })

    test('leaves a foreign file as it is, and says why', async () => {
      mkdirSync(join(folder.path, 'config', 'autostart'), { recursive: true })
      writeFileSync(file(), '[Desktop Entry]\nName=Trains\n')
      desktop = await start({ STAND_IN_PACKAGED: '1' }, 'none')
      await callOperation(desktop, 'setup.run', {})
      expect(await tryOperation(desktop, 'desktop.set-login-item', wanted)).toMatchObject({
        error: { code: 'conflict', message: expect.stringContaining(file()) },
      })
      expect(readFileSync(file(), 'utf8')).toBe('[Desktop Entry]\nName=Trains\n')
    })

    test('is not offered when it runs from source', async () => {
      desktop = await start({}, 'none')
      await callOperation(desktop, 'setup.run', {})
      expect(await callOperation(desktop, 'desktop.get', {})).toMatchObject({
        available: true,
        login: { supported: false, problem: 'development' },
      })
      expect(await tryOperation(desktop, 'desktop.set-login-item', wanted)).toMatchObject({
        error: { code: 'conflict' },
      })
      expect(existsSync(file())).toBe(false)
    })
  },
)

test.skipIf(isRealElectron)('the settings open the data folder in the file manager', async () => {
  desktop = await launchDesktop({ folder: folder.path })
  const page = await openPage(desktop)
  await page.goto(page.url().replace(/\/console\/.*/, '/console/settings/desktop'))
  await page.getByRole('button', { name: 'Open folder' }).click()
  await expect.poll(() => desktop?.stderr(), soon).toContain(`[opened path] ${folder.path}\n`)
})

test.skipIf(isRealElectron)(
  'a newer version is told, and its link opens in the browser',
  async () => {
    const feed = createServer((_request, response) => {
      response.end(
        '{"version": "99.0.0", "url": "https://example.com/download", "notes": "Faster."}',
      )
    })
    await once(feed.listen(0, '127.0.0.1'), 'listening')
    try {
      desktop = await launchDesktop({ folder: folder.path })
      const page = await openPage(desktop)
      await page.goto(page.url().replace(/\/console\/.*/, '/console/settings/desktop'))
      const { port } = feed.address() as AddressInfo
      await page.getByLabel('Update feed').fill(`http://127.0.0.1:${port}/`)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('Version 99.0.0 is available').waitFor()
      expect(await pageFaults(page)).toEqual([])
      await page.getByText('Open download page').click()
      await expect
        .poll(() => desktop?.stderr(), soon)
        .toContain('[opened outside] https://example.com/download')
    } finally {
      feed.closeAllConnections()
      feed.close()
    }
  },
)
