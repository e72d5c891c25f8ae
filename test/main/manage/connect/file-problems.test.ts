import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../../support/gateway/gateway-command.ts'
import { choiceOf, connect, preview, stageAt, undo, viewOf } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

const obstacles: [string, (at: (name: string) => string) => void, RegExp][] = [
  [
    'a file in the place of its folder',
    (at) => writeFileSync(at('.codex'), 'x'),
    /can't be read: a part of its path is a file/,
  ],
  [
    'a folder in the place of its file',
    (at) => mkdirSync(at('.codex/config.toml'), { recursive: true }),
    /can't be read: it is a folder/,
  ],
  [
    'a device in the place of its file',
    (at) => {
      mkdirSync(at('.codex'))
      symlinkSync('/dev/null', at('.codex/config.toml'))
    },
    /can't be read: it is a pipe or a device, not a file/,
  ],
  [
    'links in a circle',
    (at) => {
      mkdirSync(at('.codex'))
      symlinkSync('config.toml', at('.codex/config.toml'))
    },
    /can't be read: its links lead in a circle/,
  ],
  [
    'another encoding',
    (at) => {
      mkdirSync(at('.codex'))
      writeFileSync(at('.codex/config.toml'), Buffer.from([0x61, 0xff, 0xfe]))
    },
    /is not written in UTF-8/,
  ],
]

test.each(obstacles)(
  '%s is told in words, on the card and at the preview',
  async (_name, make, expected) => {
    const home = toolHome({})
    make(home.at)
    const stage = await stageAt(home)
    expect(await viewOf(stage, 'codex')).toMatchObject({
      ...{ status: 'broken', problem: expect.stringMatching(expected) },
      problem_reason: {
        code: expect.stringMatching(/^tool_file_/),
        path: home.at('.codex/config.toml'),
      },
    })
    const { status, body } = await stage.owner.send(
      'POST',
      '/api/connect/preview',
      choiceOf('codex'),
    )
    expect([status, body.message]).toEqual([409, expect.stringMatching(expected)])
  },
)

test('of two files the first is put back when the second cannot be written', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const { digest } = await preview(stage, 'gemini-cli')
  chmodSync(home.at('.gemini/.env'), 0o440)
  const before = home.snapshot()
  const choice = { ...choiceOf('gemini-cli'), digest }
  const { status, body } = await stage.owner.send('POST', '/api/connect/apply', choice)
  expect([status, body.message]).toEqual([409, expect.stringContaining('.env is read-only')])
  expect(home.snapshot()).toEqual(before)
  expect(await viewOf(stage, 'gemini-cli')).toMatchObject({ status: 'elsewhere', can_undo: false })
})

test('while a tool rewrites its file again and again, each version is its own or ours whole', async () => {
  const home = toolHome({ '.codex/config.toml': 'counter = 0\n' })
  const path = home.at('.codex/config.toml')
  const stage = await stageAt(home)
  // As tools save: the whole file anew, from what it holds at that moment.
  const rewrites = `
    const { readFileSync, renameSync, writeFileSync } = require('node:fs')
    let counter = 0
    setInterval(() => {
      const text = readFileSync(process.argv[1], 'utf8')
      writeFileSync(process.argv[1] + '.new', text.replace(/^counter = \\d+/m, 'counter = ' + ++counter))
      renameSync(process.argv[1] + '.new', process.argv[1])
    }, 2)`
  const tool = spawn(process.execPath, ['-e', rewrites, path])
  onTestFinished(() => void tool.kill())
  for (let round = 0; round < 25; round += 1) {
    const shown = await stage.owner.send('POST', '/api/connect/preview', choiceOf('codex'))
    expect(shown.status, shown.body.message).toBe(200)
    const choice = { ...choiceOf('codex'), digest: shown.body.data.digest }
    const { status, body } = await stage.owner.send('POST', '/api/connect/apply', choice)
    if (status !== 200) expect(body.message).toMatch(/changed since the preview|another program/)
    const text = readFileSync(path, 'utf8')
    expect(text.match(/^counter = \d+$/gm)).toHaveLength(1)
    const ours = text.match(/^(?:\[model_providers\.switchyard\]|base_url = .*)$/gm)?.length ?? 0
    expect([0, 2]).toContain(ours)
    // Undo as well writes no file that changed under it.
    if (status === 200) await expect.poll(async () => (await undo(stage, 'codex')).status).toBe(200)
  }
})

/** Connects as a user without any right to the file, since root has every right. It loads the sources before. */
const asNobody = `
  import { planConnection } from '${join(projectFolder, 'main/connect/plan-connection.ts')}'
  import { applyConnection } from '${join(projectFolder, 'main/connect/apply-connection.ts')}'
  import { ConnectFolder } from '${join(projectFolder, 'main/connect/connect-record.ts')}'
  import { codex } from '${join(projectFolder, 'main/connect/tool/codex.ts')}'
  import { existsSync } from 'node:fs'
  const [home, data] = process.argv.slice(2)
  process.setgid(65534)
  process.setuid(65534)
  const machine = { platform: 'linux', home, env: {}, exists: existsSync }
  const facts = () => ({ context: null, output: null, images: null })
  const connection = { address: 'http://127.0.0.1:4747', token: 'sk-1', models: { main: 'm' }, facts }
  const folder = new ConnectFolder(data)
  try {
    const plan = planConnection(codex, connection, machine, folder, null)
    const chosen = { models: connection.models, token: { id: 1, isMade: true } }
    applyConnection(codex, connection, chosen, plan, folder)
    console.log('written')
  } catch (error) {
    console.log(error.code + ': ' + error.message)
  }
  console.log(folder.read('codex') === null ? 'no record' : 'a record')
`

/** The file's mode and its folder's. */
const closed: [string, number, number, RegExp][] = [
  [
    'a file that may not be read',
    0o600,
    0o755,
    /config\.toml can't be read: you have no permission/,
  ],
  ['a folder that may not be entered', 0o644, 0o700, /can't be read: you have no permission/],
  ['a file that may not be written', 0o644, 0o755, /can't be written: you have no permission/],
  ['a folder that takes no new file', 0o666, 0o755, /can't be written: you have no permission/],
]

test.skipIf(process.getuid?.() !== 0).each(closed)(
  '%s: told in words, nothing written, no record',
  async (_name, fileMode, folderMode, expected) => {
    const home = mkdtempSync(join(tmpdir(), 'switchyard-closed-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    chmodSync(home, 0o755)
    const [path, data] = [join(home, '.codex/config.toml'), join(home, 'data')]
    mkdirSync(dirname(path))
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, 65534, 65534)
    writeFileSync(path, 'model = "mine"\n')
    chmodSync(path, fileMode)
    chmodSync(dirname(path), folderMode)
    const script = join(home, 'as-nobody.mts')
    writeFileSync(script, asNobody)
    const child = spawn(process.execPath, ['--import', 'tsx', script, home, data], {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(printed).toMatch(expected)
    expect(printed).toMatch(/^conflict: /)
    expect(printed).toMatch(/no record\n$/)
    expect(readFileSync(path, 'utf8')).toBe('model = "mine"\n')
    expect(existsSync(join(data, 'connect', 'codex.json'))).toBe(false)
  },
)

test('a file that we made and somebody wrote a comment into stays, without our keys', async () => {
  const home = toolHome({})
  const stage = await stageAt(home)
  await connect(stage, 'codex')
  const path = home.at('.codex/config.toml')
  writeFileSync(path, `# mine\n${readFileSync(path, 'utf8')}`)
  const { body } = await undo(stage, 'codex')
  expect(body.data.files).toMatchObject([{ restored: 'keys' }])
  expect(readFileSync(path, 'utf8').trim()).toBe('# mine')
})

test('a file whose mode the tool changed has its first mode again, also when connected twice', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const before = home.snapshot()
  await connect(stage, 'codex')
  chmodSync(home.at('.codex/config.toml'), 0o600)
  await connect(stage, 'codex', 'echo-mini')
  await undo(stage, 'codex')
  expect(home.snapshot()).toEqual(before)
})

test('a backup that somebody damaged is not put back: only our keys go', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'codex')
  const folder = join(stage.gateway.parts.dataFolder, 'connect')
  const backup = readdirSync(folder).find((name) => name.endsWith('.backup')) ?? ''
  writeFileSync(join(folder, backup), 'model = "nonsense"\n')
  const { body } = await undo(stage, 'codex')
  expect(body.data.files).toMatchObject([{ restored: 'keys' }])
  const text = readFileSync(home.at('.codex/config.toml'), 'utf8')
  expect(text).toContain('model = "gpt-5-codex" # daily')
  expect(text).not.toMatch(/nonsense|127\.0\.0\.1/)
})
