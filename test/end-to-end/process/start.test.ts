import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { callModel } from '../../support/clients/model-call.ts'
import {
  type GatewayProcess,
  runGateway,
  temporaryDataFolder,
} from '../../support/gateway/gateway-process.ts'
import { setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

/** Keeps a port of 127.0.0.1 taken; the port, also when another program has it already. */
async function takePort(port: number): Promise<number> {
  const server = createServer()
  const taken = await new Promise<number>((resolve) => {
    server.once('error', () => resolve(port))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
  onTestFinished(() => void server.close())
  return taken
}

/** Files that come and go by themselves. */
const isPassing = (name: string): boolean =>
  name.startsWith('lock') || name === 'logs' || /-(wal|shm)$/.test(name)

/** The files of a data folder that matter, by name. */
const filesOf = (folder: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !isPassing(name))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )

/** A failing test is easier to read with them. */
const digestsOf = (folder: string): Record<string, string> => {
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  return Object.fromEntries(
    Object.entries(filesOf(folder)).map(([name, bytes]) => [name, digest(bytes)]),
  )
}

async function expectRefusal(gateway: GatewayProcess, ...said: (string | RegExp)[]): Promise<void> {
  expect(gateway.stdout()).toBe('')
  expect(await gateway.exited).toMatchObject({ code: 1 })
  for (const part of said) expect(gateway.stderr()).toMatch(part)
  // A sentence for a person, without a stack.
  expect(gateway.stderr()).not.toMatch(/^ +at /m)
}

/** A data folder that a gateway has set up, with a channel and a token, and has let go of. */
async function usedFolder(
  { url }: ScriptedUpstream,
  env: Record<string, string> = {},
): Promise<{ folder: string; key: string }> {
  const gateway = await runGateway({ env })
  const owner = await setUpOwner(gateway.url)
  await owner.addChannel({ base_url: url, models: 'chat-model' })
  const key = await owner.addToken()
  const call = callModel(gateway.url, key, {})
  await call.over
  expect(call.status).toBe(200)
  expect(await gateway.stop()).toMatchObject({ code: 0 })
  return { folder: gateway.dataFolder, key }
}

async function statusOfCall(url: string, key: string): Promise<number> {
  const call = callModel(url, key, {})
  await call.over
  return call.status
}

describe('a start', () => {
  test('says one line on stdout and nothing else, also after calls', async () => {
    const gateway = await runGateway()
    expect(gateway.stdout()).toMatch(/^Switchyard is ready at http:\/\/127\.0\.0\.1:\d+\n$/)
    const line = gateway.stdout()
    expect((await fetch(`${gateway.url}/api/status`)).status).toBe(200)
    expect(await statusOfCall(gateway.url, 'sk-nobody')).toBe(401)
    expect(await gateway.stop()).toMatchObject({ code: 0 })
    expect(gateway.stdout()).toBe(line)
    expect(gateway.stderr()).toBe('')
  })

  test('makes its folder and files for their owner only', async () => {
    const dataFolder = join(temporaryDataFolder(), 'deep', 'Switchyard')
    const gateway = await runGateway({ dataFolder })
    const owner = await setUpOwner(gateway.url)
    await owner.addToken()
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
    const names = readdirSync(dataFolder)
    expect(names).toEqual(expect.arrayContaining(['state.json', 'ledger.db', 'secret.key', 'lock']))
    for (const name of names) {
      const found = statSync(join(dataFolder, name))
      const mode = found.isDirectory() ? 0o700 : 0o600
      expect([name, found.mode & 0o777]).toEqual([name, mode])
    }
    expect(statSync(join(dataFolder, 'logs', 'switchyard.log')).mode & 0o777).toBe(0o600)
  })

  test('keeps its data where the platform keeps configuration', async () => {
    const config = temporaryDataFolder()
    const gateway = await runGateway({
      flags: ['--port', '0'],
      env: { XDG_CONFIG_HOME: config, HOME: config, APPDATA: config },
    })
    expect(gateway.url).not.toBe('')
    const parent = process.platform === 'darwin' ? 'Library/Application Support' : ''
    expect(existsSync(join(config, parent, 'Switchyard', 'state.json'))).toBe(true)
  })

  test('takes the environment, and flags above it', async () => {
    const folder = temporaryDataFolder()
    const env = {
      SWITCHYARD_HOST: '127.0.0.2',
      SWITCHYARD_PORT: '0',
      SWITCHYARD_DATA_DIR: join(folder, 'environment'),
    }
    const first = await runGateway({ flags: [], env })
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    expect(existsSync(join(folder, 'environment', 'state.json'))).toBe(true)
    const flags = ['--host', 'localhost', '--port', '0', '--data-dir', join(folder, 'flag')]
    const second = await runGateway({ flags, env: { ...env, SWITCHYARD_PORT: 'nonsense' } })
    expect(second.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(existsSync(join(folder, 'flag', 'state.json'))).toBe(true)
  })

  test('takes an empty variable for one that is not set', async () => {
    const empty = { SWITCHYARD_HOST: '', SWITCHYARD_PORT: '', SWITCHYARD_SECRET_KEY: '' }
    const gateway = await runGateway({
      flags: ['--data-dir', temporaryDataFolder()],
      env: empty,
    })
    // The default host above all: an empty one would mean all addresses of this machine.
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:47\d\d$/)
    expect(gateway.stderr()).toBe('')
  })

  test.each([
    [['--port', 'http'], `"http" isn't a port`],
    [['--port', '70000'], `"70000" isn't a port`],
    [['--port', '0x50'], `"0x50" isn't a port`],
    [['--port', ''], '--port'],
    [['--data-dir', ''], '--data-dir'],
    [['--host', ''], '--host'],
    [['--host', 'no-such-host.invalid', '--port', '0'], '--host'],
    [['--host', '203.0.113.7', '--port', '0'], '--host'],
    [['--prot', '4747'], /--prot.*[\s\S]*Usage/],
    [['here'], /here[\s\S]*Usage/],
  ])('says what is wrong with %j', async (flags, said) => {
    const gateway = await runGateway({ flags, env: { SWITCHYARD_DATA_DIR: temporaryDataFolder() } })
    await expectRefusal(gateway, said)
  })

  test('says which variable is wrong', async () => {
    const port = await runGateway({
      flags: ['--data-dir', temporaryDataFolder()],
      env: { SWITCHYARD_PORT: '47x' },
    })
    await expectRefusal(port, /SWITCHYARD_PORT.*"47x"/)
    const secret = await runGateway({ env: { SWITCHYARD_SECRET_KEY: 'too short' } })
    await expectRefusal(secret, /SWITCHYARD_SECRET_KEY must be 32 bytes/)
  })

  test('shows how it is used', async () => {
    const gateway = await runGateway({ flags: ['--help'] })
    expect(await gateway.exited).toMatchObject({ code: 0 })
    expect(gateway.stdout()).toContain('--data-dir DIR')
  })
})

describe('a port that is taken', () => {
  test('ends the start when it was named, with who has it and what to do', async () => {
    const port = await takePort(0)
    const folder = temporaryDataFolder()
    const gateway = await runGateway({ flags: ['--port', `${port}`, '--data-dir', folder] })
    await expectRefusal(gateway, `port ${port}`, '--port')
    if (process.platform === 'linux') expect(gateway.stderr()).toContain(`process ${process.pid}`)
    // And nothing is left that stands in the way of the next one.
    expect((await runGateway({ dataFolder: folder })).url).not.toBe('')
  })

  test('gives way to the next one when it is the default', async () => {
    const port = await takePort(4747)
    const gateway = await runGateway({ flags: ['--data-dir', temporaryDataFolder()] })
    const given = Number(new URL(gateway.url).port)
    expect(given).toBeGreaterThan(port)
    expect(given).toBeLessThanOrEqual(port + 20)
    expect((await fetch(`${gateway.url}/api/status`)).status).toBe(200)
  })
})

describe('a file that cannot be used', () => {
  const state = (folder: string) => join(folder, 'state.json')
  const ledger = (folder: string) => join(folder, 'ledger.db')
  const stateOf = (folder: string): Record<string, unknown> =>
    JSON.parse(readFileSync(state(folder), 'utf8'))

  const damages: [string, (folder: string) => void, RegExp][] = [
    [
      'a state file that is cut off',
      (folder) => writeFileSync(state(folder), readFileSync(state(folder)).subarray(0, 300)),
      /state\.json.*not JSON.*(copy|Repair)/,
    ],
    ['an empty state file', (folder) => writeFileSync(state(folder), ''), /state\.json.*not JSON/],
    [
      'a state file that holds something else',
      (folder) => writeFileSync(state(folder), '[1, 2]'),
      /state\.json.*JSON object/,
    ],
    [
      'a state file with a wrong field',
      (folder) =>
        writeFileSync(state(folder), JSON.stringify({ ...stateOf(folder), channels: 'none' })),
      /state\.json.*channels/,
    ],
    [
      'a state file of a newer version',
      (folder) =>
        writeFileSync(state(folder), JSON.stringify({ ...stateOf(folder), version: 999 })),
      /state\.json.*newer Switchyard.*999.*Install/,
    ],
    [
      'a ledger that is none',
      (folder) => writeFileSync(ledger(folder), Buffer.alloc(20_000, 'no database ')),
      /ledger\.db.*(copy|move)/,
    ],
    [
      'a ledger that is cut off',
      (folder) => writeFileSync(ledger(folder), readFileSync(ledger(folder)).subarray(0, 5000)),
      /ledger\.db.*cut off/,
    ],
    [
      'a ledger of a newer version',
      (folder) => {
        const database = new (sqliteDriver().Database)(ledger(folder))
        database.exec('PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)')
        database.close()
      },
      /ledger\.db.*newer Switchyard.*999.*Install/,
    ],
    [
      'a key file without a key',
      (folder) => writeFileSync(join(folder, 'secret.key'), 'plain:AAAA\n'),
      /secret\.key does not hold a key.*copy/,
    ],
  ]

  const upstream = startUpstream(vendorReply)
  let used: { files: Record<string, Buffer>; key: string } | undefined
  afterAll(async () => (await upstream).close())

  test.each(damages)('%s ends the start and stays as it is', async (_name, damage, said) => {
    if (!used) {
      const { folder, key } = await usedFolder(await upstream)
      used = { files: filesOf(folder), key }
    }
    const folder = temporaryDataFolder()
    const { files, key } = used
    const copyBack = () => {
      for (const name in files)
        writeFileSync(join(folder, name), files[name] ?? '', { mode: 0o600 })
    }
    copyBack()
    const before = digestsOf(folder)
    damage(folder)
    const damaged = digestsOf(folder)
    expect(damaged).not.toEqual(before)
    await expectRefusal(await runGateway({ dataFolder: folder }), folder, said)
    expect(digestsOf(folder)).toEqual(damaged)
    // The remedy that it names: the copies put back.
    copyBack()
    const gateway = await runGateway({ dataFolder: folder })
    expect(await statusOfCall(gateway.url, key)).toBe(200)
  })

  test('a data folder that is a file ends the start', async () => {
    const path = join(temporaryDataFolder(), 'file')
    writeFileSync(path, 'mine')
    await expectRefusal(await runGateway({ dataFolder: path }), `data folder ${path}`, '--data-dir')
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test('a data folder below what is no folder ends the start', async () => {
    const path = '/proc/switchyard/data'
    const gateway = await runGateway({ dataFolder: path })
    await expectRefusal(gateway, `data folder ${path}`, '--data-dir')
  })

  test('a data folder that may not be written ends the start', async (context) => {
    if (process.getuid?.() === 0) context.skip('root may write everywhere')
    const path = join(temporaryDataFolder(), 'closed')
    mkdirSync(path)
    chmodSync(path, 0o500)
    await expectRefusal(await runGateway({ dataFolder: path }), `data folder ${path}`, '--data-dir')
    expect(readdirSync(path)).toEqual([])
  })
})

describe('another SWITCHYARD_SECRET_KEY', () => {
  test('opens nothing and breaks nothing: keys are entered again', async () => {
    const key = (digit: string) => ({ SWITCHYARD_SECRET_KEY: digit.repeat(64) })
    const upstream = await startUpstream(vendorReply)
    onTestFinished(() => upstream.close())
    const { folder, key: token } = await usedFolder(upstream, key('a'))
    const gateway = await runGateway({ dataFolder: folder, env: key('b') })
    const owner = await signInOwner(gateway.url)

    const { items } = await owner.ask<{ items: [Record<string, unknown>] }>('GET', '/api/channel/')
    expect(items[0]).toMatchObject({ key_unreadable: true, key_preview: '' })
    expect(await statusOfCall(gateway.url, token)).toBe(401)
    for (const nothing of ['sk-', '', 'sk-undefined', 'sk-null']) {
      expect(await statusOfCall(gateway.url, nothing)).toBe(401)
    }

    const newToken = await owner.addToken('new')
    const call = callModel(gateway.url, newToken, {})
    await call.over
    expect(call.status).toBe(502)
    expect(JSON.parse(call.text).error.message).toMatch(/"vendor" cannot be read.*Enter it again/)

    await owner.ask('PUT', '/api/channel/', { id: items[0].id, key: 'vendor-key' })
    expect(await statusOfCall(gateway.url, newToken)).toBe(200)
    expect(await gateway.stop()).toMatchObject({ code: 0 })
    expect(gateway.stderr()).toMatch(/^[^\n]*"a channel is cooling down"[^\n]*\n$/)

    // The first token, sealed under the first key, works again; only the channel's new key cannot be read.
    const first = await runGateway({ dataFolder: folder, env: key('a') })
    const call2 = callModel(first.url, token, {})
    await call2.over
    expect(call2.status).toBe(502)
    expect(call2.text).toContain('cannot be read')
  })
})
