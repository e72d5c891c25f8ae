import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/launch-desktop.ts'

// Each starts the app up to twice.
vi.setConfig({ testTimeout: 60_000 })

let folder: { path: string; remove(): void }

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => folder.remove())

async function withDesktop<Value>(
  env: Record<string, string>,
  use: (desktop: Desktop) => Promise<Value>,
): Promise<Value> {
  const desktop = await launchDesktop({ folder: folder.path, env })
  try {
    await desktop.page()
    return await use(desktop)
  } finally {
    await desktop.close()
  }
}

/** One channel whose key is kept, and how its key is shown afterwards. */
async function keepChannel(desktop: Desktop): Promise<void> {
  const page = await desktop.page()
  const answers = await page.evaluate(async () => [
    await window.switchyard?.call('setup.run', {}),
    await window.switchyard?.call('channel.create', {
      mode: 'single',
      channel: {
        type: 1,
        name: 'Kept',
        key: 'sk-vendor-0123456789',
        models: 'm',
        group: 'default',
      },
    }),
  ])
  expect(answers).toMatchObject([{ ok: true }, { ok: true }])
}

async function isKeyReadable(desktop: Desktop): Promise<boolean> {
  const page = await desktop.page()
  const answer = await page.evaluate(() => window.switchyard?.call('channel.list', {}))
  const { items } = (answer as { data: { items: { key_unreadable: boolean }[] } }).data
  expect(items).toHaveLength(1)
  return !items[0]?.key_unreadable
}

const keyFile = () => readFileSync(join(folder.path, 'secret.key'), 'utf8')

test.skipIf(isRealElectron)(
  'the data key lies wrapped by the keychain, and opens the channels again',
  async () => {
    await withDesktop({}, keepChannel)
    expect(keyFile()).toMatch(/^wrapped:/)
    expect(statSync(join(folder.path, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder.path, 'state.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder.path, 'state.json'), 'utf8')).not.toContain('sk-vendor')
    expect(await withDesktop({}, isKeyReadable)).toBe(true)
  },
)

test.skipIf(isRealElectron)(
  'without a keychain the key lies plain in a file of its owner, and the log says so',
  async () => {
    const said = await withDesktop({ STAND_IN_KEYCHAIN: 'none' }, async (desktop) =>
      desktop.stderr(),
    )
    expect(keyFile()).toMatch(/^plain:/)
    expect(statSync(join(folder.path, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(said).toContain('no keychain here')
  },
)

test.skipIf(isRealElectron)(
  'with a keychain that forgot its key the app starts, and asks for the channel keys again',
  async () => {
    await withDesktop({}, keepChannel)
    expect(await withDesktop({ STAND_IN_KEYCHAIN: 'another' }, isKeyReadable)).toBe(false)
  },
)
