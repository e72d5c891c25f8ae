import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callOperation } from '../support/desktop/call-operation.ts'
import {
  type Desktop,
  isRealElectron,
  launchAgain,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { openSlowUpstream } from '../support/upstreams/slow-upstream.ts'

vi.setConfig({ testTimeout: 60_000 })
const patience = { timeout: 30_000 }

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

test('npm start hears of a hidden start that it runs, though no window comes', async () => {
  const outcome = join(folder.path, 'outcome')
  const env = { SWITCHYARD_START_OUTCOME: outcome }
  desktop = await launchDesktop({ folder: folder.path, flags: ['--hidden'], env, page: 'none' })
  await expect
    .poll(() => existsSync(outcome) && readFileSync(outcome, 'utf8'), patience)
    .toBe('running')
  expect(await isVisible(desktop)).toBe(false)
})

// Notifications, keychain and what keeps the system awake can be looked at on the stand-in alone.
describe.skipIf(isRealElectron)('without a window', () => {
  test('a second start while the first, hidden one still starts shows the window', async () => {
    const first = await launchDesktop({ folder: folder.path, page: 'none' })
    await callOperation(first, 'setup.run', {})
    await first.close()
    // The keychain asks its user, so that the start takes some seconds.
    const env = { STAND_IN_KEYCHAIN: 'waiting' }
    desktop = await launchDesktop({ folder: folder.path, flags: ['--hidden'], env, page: 'none' })
    await expect.poll(() => existsSync(join(folder.path, 'SingletonLock')), patience).toBe(true)
    expect(await launchAgain({ folder: folder.path })).toBe(0)
    const hidden = desktop
    await expect.poll(() => isVisible(hidden), patience).toBe(true)
  })

  test('macOS that tells of a click as the app is launched brings up no hidden start', async () => {
    const outcome = join(folder.path, 'outcome')
    const env = { SWITCHYARD_START_OUTCOME: outcome }
    desktop = await launchDesktop({ folder: folder.path, flags: ['--hidden'], env, page: 'none' })
    const hidden = desktop
    // "Various actions can trigger this event, such as launching the application for the first time".
    const isEarly = await hidden.evaluate(({ app, Menu }) => {
      app.emit('activate', {}, false)
      return Menu.getApplicationMenu() === null
    }, null)
    expect(isEarly).toBe(true)
    await expect.poll(() => existsSync(outcome), patience).toBe(true)
    expect(await isVisible(hidden)).toBe(false)
    await hidden.evaluate(({ app }) => app.emit('activate', {}, false), null)
    await expect.poll(() => isVisible(hidden), patience).toBe(true)
  })

  test('a call keeps the system from sleeping, and one that ended does not for long', async () => {
    desktop = await launchDesktop({ folder: folder.path, page: 'none' })
    const upstream = await openSlowUpstream(desktop)
    const blockers = () =>
      desktop?.evaluate((electron) => {
        const { startedBlockers } = electron as unknown as { startedBlockers(): string[] }
        return startedBlockers()
      }, null)
    try {
      expect(await blockers()).toEqual([])
      const { answer } = await upstream.begin()
      await expect.poll(blockers).toEqual(['prevent-app-suspension'])
      upstream.release()
      expect((await answer).status).toBe(200)
      await expect.poll(blockers, patience).toEqual([])
    } finally {
      upstream.close()
    }
  })

  test('a refused key is told, and a click on the notice opens its channel in a new window', async () => {
    const upstream = createServer((request, response) => {
      request.resume()
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"No such key"}}')
    })
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    desktop = await launchDesktop({ folder: folder.path })
    try {
      const page = await desktop.page()
      const { key, url } = await page.evaluate(
        async (base_url) => {
          const ask = async (name: string, input: unknown) =>
            (await window.switchyard?.call(name, input)) as never as { data: never }
          const channel = { type: 1, name: 'Refused', key: 'k', models: 'm', group: 'default' }
          await ask('setup.run', {})
          await ask('channel.create', { mode: 'single', channel: { ...channel, base_url } })
          const token: { key: string } = (
            await ask('token.create', { name: 'mine', unlimited_quota: true })
          ).data
          const server: { url: string } = (await ask('server.get', {})).data
          return { key: token.key, url: server.url }
        },
        `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      )
      const closed = page.waitForEvent('close')
      await desktop.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy(),
        null,
      )
      await closed
      await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      })
      const notices = () =>
        desktop?.evaluate((electron) => {
          const { all } = electron.Notification as unknown as { all: { title: string }[] }
          return all.map(({ title }) => title)
        }, null)
      await expect.poll(notices, patience).toEqual(['Channel key refused'])
      await desktop.evaluate((electron) => {
        const { all } = electron.Notification as unknown as { all: { clickIt(): void }[] }
        all[0]?.clickIt()
      }, null)
      const shown = await desktop.page()
      await shown.getByRole('dialog').getByText('Refused').first().waitFor()
      expect(await isVisible(desktop)).toBe(true)
    } finally {
      upstream.closeAllConnections()
      upstream.close()
    }
  })
})
