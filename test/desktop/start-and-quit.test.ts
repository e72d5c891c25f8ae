import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isRealElectron, launchDesktop, temporaryFolder } from '../support/launch-desktop.ts'

// Each starts the app, and some a gateway beside it.
vi.setConfig({ testTimeout: 60_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: { path: string; remove(): void }

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => folder.remove())

async function startHeadless(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    ['dist/main/headless.js', '--port', '0', '--data-dir', folder.path],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(child.stdout ?? child, 'data')
  return { url: String(line).trim().split(' ').at(-1) ?? '', child }
}

// The box is a window of the system that Electron waits for; the stand-in writes it to stderr.
describe.skipIf(isRealElectron)('a start that cannot go on', () => {
  test('names who uses the data folder, and ends with 1', async () => {
    const { url, child } = await startHeadless()
    try {
      const desktop = await launchDesktop({ folder: folder.path })
      expect(await desktop.exited).toBe(1)
      const said = desktop.stderr()
      expect(said).toContain('[error box] Switchyard cannot start')
      expect(said).toContain(`process ${child.pid}`)
      expect(said).toContain(url)
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  })

  test('names a corrupt state file, and leaves it as it was', async () => {
    const path = join(folder.path, 'state.json')
    writeFileSync(path, '{ "version": 1, ')
    const desktop = await launchDesktop({ folder: folder.path })
    expect(await desktop.exited).toBe(1)
    expect(desktop.stderr()).toContain('[error box]')
    expect(desktop.stderr()).toContain(path)
    expect(readFileSync(path, 'utf8')).toBe('{ "version": 1, ')
  })

  test('names a port that is no port', async () => {
    const desktop = await launchDesktop({ folder: folder.path, env: { SWITCHYARD_PORT: 'http' } })
    expect(await desktop.exited).toBe(1)
    expect(desktop.stderr()).toContain('"http" is no port')
  })
})

test('flags of ours are found among those of Electron and Chromium', async () => {
  const other = temporaryFolder()
  const flags = ['--lang=en', '--host', 'localhost', '--data-dir', other.path, '--no-first-run']
  const desktop = await launchDesktop({ folder: folder.path, flags })
  try {
    const page = await desktop.page()
    await page.evaluate(() => window.switchyard?.call('setup.run', {}))
    const server = await page.evaluate(() => window.switchyard?.call('server.get', {}))
    expect(server).toMatchObject({ data: { host: 'localhost', data_folder: other.path } })
  } finally {
    await desktop.close()
    other.remove()
  }
})

describe('quitting', () => {
  test('lets a call that is under way end whole, then lets go of the data folder', async () => {
    let release: () => void = () => {}
    let isAsked: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const upstream = createServer((request, response) => {
      request.resume()
      isAsked()
      release = () => {
        response.setHeader('content-type', 'application/json')
        response.end('{"id":"1","object":"chat.completion","choices":[],"model":"slow"}')
      }
    })
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    const { port } = upstream.address() as AddressInfo

    const desktop = await launchDesktop({ folder: folder.path })
    try {
      const page = await desktop.page()
      const { key, url } = await page.evaluate(async (base_url) => {
        const ask = async (name: string, input: unknown) => {
          const answer = await window.switchyard?.call(name, input)
          if (!answer?.ok) throw new Error(answer?.error.message)
          return answer.data as { key: string; url: string }
        }
        await ask('setup.run', {})
        await ask('channel.create', {
          mode: 'single',
          channel: { type: 1, name: 'Slow', key: 'k', base_url, models: 'slow', group: 'default' },
        })
        const token = await ask('token.create', { name: 'mine', unlimited_quota: true })
        return { key: token.key, url: (await ask('server.get', {})).url }
      }, `http://127.0.0.1:${port}`)

      const call = fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'hi' }] }),
      })
      await asked
      await desktop.evaluate(({ app }) => setTimeout(() => app.quit(), 0) && null, null)
      setTimeout(() => release(), 500)
      const answer = await call
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ id: '1' })
      expect(await desktop.exited).toBe(0)
      expect(existsSync(join(folder.path, 'lock'))).toBe(false)
    } finally {
      await desktop.close()
      upstream.closeAllConnections()
      upstream.close()
    }
  })
})
