import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callOperation } from '../support/desktop/call-operation.ts'
import {
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'

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
      expect(said).toContain('[error box] Switchyard can’t start')
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

  test("names a port that isn't a port", async () => {
    const desktop = await launchDesktop({ folder: folder.path, env: { SWITCHYARD_PORT: 'http' } })
    expect(await desktop.exited).toBe(1)
    expect(desktop.stderr()).toContain(`"http" isn't a port`)
  })
})

test('flags of ours are found among those of Electron and Chromium', async () => {
  const other = temporaryFolder()
  const flags = ['--lang=en', '--host', 'localhost', '--data-dir', other.path, '--no-first-run']
  const desktop = await launchDesktop({ folder: folder.path, flags, page: 'none' })
  try {
    await callOperation(desktop, 'setup.run', {})
    const server = await callOperation(desktop, 'server.get', {})
    expect(server).toMatchObject({ host: 'localhost', data_folder: other.path })
  } finally {
    await desktop.close()
    other.remove()
  }
})
