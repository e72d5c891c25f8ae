import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { applyConnection } from '../../../main/connect/apply-connection.ts'
import { ConnectFolder } from '../../../main/connect/connect-record.ts'
import { planConnection } from '../../../main/connect/plan-connection.ts'
import { readRealFile } from '../../../main/connect/real-file.ts'
import { rollBack } from '../../../main/connect/roll-back.ts'
import { geminiCli } from '../../../main/connect/tool/gemini-cli.ts'
import { opencode } from '../../../main/connect/tool/opencode.ts'
import type { Machine } from '../../../main/connect/tool.ts'
import { undoConnection } from '../../../main/connect/undo-connection.ts'

const connection = {
  ...{ address: 'http://127.0.0.1:4747', token: 'sk-1', models: { main: 'm' } },
  facts: () => ({ context: null, output: null, images: null }),
}
const chosen = { models: connection.models, token: { id: 1, isMade: true } }

function threeFiles() {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const [kept, held, made] = ['kept.json', 'held.json', 'made.json'].map((name) => join(home, name))
  if (!kept || !held || !made) throw new Error('three names')
  for (const path of [kept, held]) writeFileSync(path, 'before')
  const written = [held, kept, made].map((path) => ({ current: readRealFile(path) }))
  for (const path of [kept, held, made]) writeFileSync(path, 'after')
  return { kept, held, made, written }
}

test('a failed connection puts back the files that it can, and names the one that stays changed', () => {
  const { kept, held, made, written } = threeFiles()
  chmodSync(held, 0o440)
  expect(rollBack(written)).toMatchObject({
    message: `These files couldn't be put back as they were: ${held}. Make them writable, make room on the disk, then choose Undo.`,
    reason: { code: 'tool_files_left_changed', paths: held },
  })
  expect([readFileSync(held, 'utf8'), readFileSync(kept, 'utf8')]).toEqual(['after', 'before'])
  expect(existsSync(made)).toBe(false)
})

test('nothing is told when each file is as before', () => {
  const { held, written } = threeFiles()
  expect(rollBack(written)).toBeNull()
  expect(readFileSync(held, 'utf8')).toBe('before')
})

/** Two files of a tool, and a way to do something when the first is written and the second one's turn comes. */
function halfwayThrough(act: (home: string, files: string[]) => void) {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, '.gemini'))
  const settings = join(home, '.gemini/settings.json')
  const env = join(home, '.gemini/.env')
  writeFileSync(settings, '{ "tools": { "allowed": [] } }\n')
  writeFileSync(env, '# mine\nNO_COLOR=1\n')
  const machine: Machine = { platform: 'linux', home, env: {}, exists: existsSync }
  const folder = new ConnectFolder(join(home, 'data'))
  const plan = planConnection(geminiCli, connection, machine, folder, null)
  const [first, second] = plan.files
  if (!first || !second) throw new Error('two files')
  const { after } = second
  Object.defineProperty(second, 'after', {
    get: () => {
      const isFirstWritten = readFileSync(first.current.path, 'utf8') === first.after
      if (isFirstWritten) act(home, [settings, env])
      return after
    },
  })
  return {
    ...{ home, settings, env, first },
    apply: () => applyConnection(geminiCli, connection, chosen, plan, folder),
    undo: () => undoConnection(geminiCli, machine, folder),
  }
}

test('a connection that failed halfway and couldn’t go back is taken back by Undo', () => {
  const { settings, env, first, apply, undo } = halfwayThrough((_home, files) => {
    for (const path of files) chmodSync(path, 0o440)
  })
  expect(apply).toThrow(`These files couldn't be put back as they were: ${first.current.path}.`)
  for (const path of [settings, env]) chmodSync(path, 0o644)
  undo()
  expect(readFileSync(settings, 'utf8')).toBe('{ "tools": { "allowed": [] } }\n')
  expect(readFileSync(env, 'utf8')).toBe('# mine\nNO_COLOR=1\n')
})

test('after a crash between the files of a connection, Undo puts them back as they were', () => {
  const crashed = mkdtempSync(join(tmpdir(), 'switchyard-crashed-'))
  onTestFinished(() => rmSync(crashed, { recursive: true, force: true }))
  const { home, settings, env, first, apply, undo } = halfwayThrough((at) => {
    rmSync(crashed, { recursive: true })
    cpSync(at, crashed, { recursive: true })
  })
  apply()
  // Of what came after the crash nothing is there.
  rmSync(home, { recursive: true })
  cpSync(crashed, home, { recursive: true })
  expect(readFileSync(first.current.path, 'utf8')).toBe(first.after)
  // The file that was written comes back from its backup, the other one was not touched.
  expect(undo()).toMatchObject([
    { path: first.current.path, restored: 'whole' },
    { restored: 'keys' },
  ])
  expect(readFileSync(settings, 'utf8')).toBe('{ "tools": { "allowed": [] } }\n')
  expect(readFileSync(env, 'utf8')).toBe('# mine\nNO_COLOR=1\n')
})

test('after a crash before a file that the tool left is put back, Undo still puts it back', () => {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  const crashed = mkdtempSync(join(tmpdir(), 'switchyard-crashed-'))
  onTestFinished(() => {
    for (const path of [home, crashed]) rmSync(path, { recursive: true, force: true })
  })
  const [old, next] = ['.json', '.jsonc'].map((end) =>
    join(home, `.config/opencode/opencode${end}`),
  )
  if (!old || !next) throw new Error('two names')
  mkdirSync(join(home, '.config/opencode'), { recursive: true })
  writeFileSync(old, '{ "share": "disabled" }')
  const machine: Machine = { platform: 'linux', home, env: {}, exists: existsSync }
  const folder = new ConnectFolder(join(home, 'data'))
  const plan = () => planConnection(opencode, connection, machine, folder, null)
  applyConnection(opencode, connection, chosen, plan(), folder).keep()
  writeFileSync(next, '{ /* new */ }\n')
  const again = plan()
  const [left] = again.left
  if (!left) throw new Error('a file that was left')
  const { step } = left
  Object.defineProperty(left, 'step', {
    get: () => {
      cpSync(home, crashed, { recursive: true })
      return step
    },
  })
  applyConnection(opencode, connection, chosen, again, folder)
  rmSync(home, { recursive: true })
  cpSync(crashed, home, { recursive: true })
  expect(readFileSync(old, 'utf8')).toContain('sk-1')
  undoConnection(opencode, machine, folder)
  expect(readFileSync(old, 'utf8')).toBe('{ "share": "disabled" }')
  expect(readFileSync(next, 'utf8')).toBe('{ /* new */ }\n')
})
