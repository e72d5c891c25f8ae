import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { callOperation, tryOperation } from '../support/desktop/call-operation.ts'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { runGateway } from '../support/gateway/gateway-process.ts'

// Each starts the app up to twice.
vi.setConfig({ testTimeout: 60_000 })

let folder: { path: string; remove(): void }
/** A data folder in which a channel is kept, its key wrapped by the keychain. */
const kept = temporaryFolder()

beforeAll(async () => {
  if (isRealElectron) return
  folder = kept
  await withDesktop({}, keepChannel)
})

afterAll(() => kept.remove())

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => folder.remove())

async function withDesktop<Value>(
  env: Record<string, string>,
  use: (desktop: Desktop) => Promise<Value>,
): Promise<Value> {
  const desktop = await launchDesktop({ folder: folder.path, env, page: 'none' })
  try {
    await callOperation(desktop, 'setup.status', {})
    return await use(desktop)
  } finally {
    await desktop.close()
  }
}

/** One channel whose key is kept, and how its key is shown afterwards. */
async function keepChannel(desktop: Desktop): Promise<void> {
  await callOperation(desktop, 'setup.run', {})
  await callOperation(desktop, 'channel.create', {
    mode: 'single',
    channel: {
      type: 1,
      name: 'Kept',
      key: 'sk-vendor-0123456789',
      models: 'm',
      group: 'default',
    },
  })
}

async function keptChannel(desktop: Desktop) {
  const { items } = await callOperation(desktop, 'channel.list', {})
  expect(items).toHaveLength(1)
  return items[0]
}

async function isKeyReadable(desktop: Desktop): Promise<boolean> {
  const channel = await keptChannel(desktop)
  return channel?.key_unreadable === false && !channel.key_locked
}

const reasonIn = async (desktop: Desktop) =>
  (await callOperation(desktop, 'keychain.get', {})).reason

/** Changes what the keychain is from now on. */
const turn = (desktop: Desktop, keychain: string): Promise<unknown> =>
  desktop.evaluate((_electron, state) => {
    process.env.STAND_IN_KEYCHAIN = state
  }, keychain)

const keyFile = (name = 'secret.key') => readFileSync(join(folder.path, name), 'utf8')
const keyFiles = () => readdirSync(folder.path).filter((name) => name.startsWith('secret.key'))

// On a real Electron the keychain is the machine's own, which no test may change.
const onStandIn = test.skipIf(isRealElectron)

onStandIn('the data key lies wrapped by the keychain, and opens the channels again', async () => {
  cpSync(kept.path, folder.path, { recursive: true })
  expect(keyFile()).toMatch(/^keychain:gnome_libsecret:/)
  expect(statSync(join(folder.path, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder.path, 'state.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder.path, 'state.json'), 'utf8')).not.toContain('sk-vendor')
  expect(await withDesktop({}, isKeyReadable)).toBe(true)
})

onStandIn(
  'without a keychain the key lies plain in a file of its owner, and the log says so',
  async () => {
    const said = await withDesktop({ STAND_IN_KEYCHAIN: 'none' }, async (desktop) =>
      desktop.stderr(),
    )
    expect(keyFile()).toMatch(/^plain:/)
    expect(statSync(join(folder.path, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(said).toContain('no keychain protects the key')
  },
)

onStandIn(
  'a keychain that says no costs no key, and opens the channels once it is unlocked',
  async () => {
    cpSync(kept.path, folder.path, { recursive: true })
    const before = keyFile()
    await withDesktop({ STAND_IN_KEYCHAIN: 'none' }, async (desktop) => {
      expect(await reasonIn(desktop)).toBe('unavailable')
    })
    await withDesktop({ STAND_IN_KEYCHAIN: 'denied' }, async (desktop) => {
      expect(await reasonIn(desktop)).toBe('denied')
      expect(await keptChannel(desktop)).toMatchObject({ key_locked: true, key_unreadable: false })
      // The tray shows no secret, so that it has all it needs.
      const trayItems = await desktop.evaluate((electron) => {
        const { all } = electron.Tray as unknown as { all: { menu: Electron.Menu }[] }
        const { menu } = all[0] ?? {}
        return ['channel-1', 'spent', 'quit'].map((id) => menu?.getMenuItemById(id)?.label)
      }, null)
      expect(trayItems).toEqual(['Kept', expect.stringMatching(/^Spent/), 'Quit Switchyard'])
      const channel = {
        type: 1,
        name: 'New',
        key: 'sk-new-0123456789',
        models: 'm',
        group: 'default',
      }
      const refused = await tryOperation(desktop, 'channel.create', { mode: 'single', channel })
      expect(refused).toMatchObject({ ok: false, error: { code: 'keychain_locked' } })
      expect(keyFile()).toBe(before)
      expect(keyFiles()).toEqual(['secret.key'])

      await turn(desktop, 'keychain')
      const answer = await callOperation(desktop, 'keychain.retry', {})
      expect(answer).toMatchObject({ locked: false, protection: 'keychain' })
      expect(await isKeyReadable(desktop)).toBe(true)
    })
  },
)

onStandIn(
  'a keychain that asks its user holds no window up, and opens once it is answered',
  async () => {
    cpSync(kept.path, folder.path, { recursive: true })
    await withDesktop({ STAND_IN_KEYCHAIN: 'waiting' }, async (desktop) => {
      expect(await reasonIn(desktop)).toBe('waiting')
      await turn(desktop, 'keychain')
      await expect.poll(() => isKeyReadable(desktop)).toBe(true)
    })
  },
)

onStandIn(
  'a key that the keychain wants wrapped anew is, and the old file goes once that has opened',
  async () => {
    cpSync(kept.path, folder.path, { recursive: true })
    const before = keyFile()
    expect(await withDesktop({ STAND_IN_KEYCHAIN: 'rotated' }, isKeyReadable)).toBe(true)
    expect(keyFile()).not.toBe(before)
    expect(keyFile('secret.key.previous')).toBe(before)
    expect(await withDesktop({ STAND_IN_KEYCHAIN: 'rotated' }, isKeyReadable)).toBe(true)
    expect(keyFiles()).toEqual(['secret.key'])
  },
)

onStandIn('stored keys are given up by the owner alone, and the old file is kept', async () => {
  cpSync(kept.path, folder.path, { recursive: true })
  const before = keyFile()
  await withDesktop({ STAND_IN_KEYCHAIN: 'another' }, async (desktop) => {
    expect(await tryOperation(desktop, 'keychain.forget', {})).toMatchObject({ ok: false })
    expect(keyFile()).toBe(before)
    const { kept: name } = await callOperation(desktop, 'keychain.forget', { confirm: true })
    expect(keyFile(name ?? '')).toBe(before)
    expect(await keptChannel(desktop)).toMatchObject({ key_locked: false, key_unreadable: true })
  })
})

onStandIn(
  'the gateway without a desktop names the keychain, and leaves the key as it is',
  async () => {
    cpSync(kept.path, folder.path, { recursive: true })
    const before = keyFile()
    const dataFolder = folder.path
    const refused = await runGateway({ dataFolder })
    expect((await refused.exited).code).toBe(1)
    expect(refused.stderr()).toMatch(/keychain.*desktop application.*SWITCHYARD_SECRET_KEY/)
    expect(keyFile()).toBe(before)

    const env = { SWITCHYARD_SECRET_KEY: 'a'.repeat(64) }
    const given = await runGateway({ dataFolder, env })
    expect(given.url).toContain('http://127.0.0.1')
    await given.stop()
    expect(keyFile()).toBe(before)
    expect(await withDesktop({}, isKeyReadable)).toBe(true)
  },
)
