import { spawnSync } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRealFile, replaceFile } from '../../../main/connect/real-file.ts'
import { projectFolder } from '../../support/gateway/gateway-command.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Replaces a file of 1 byte by one of 12 000, where the system takes 8192 of them. */
const nearlyFull = `
  import { readRealFile, replaceFile } from '${join(projectFolder, 'main/connect/real-file.ts')}'
  try {
    replaceFile(readRealFile(process.argv[2]), 'y'.repeat(12_000), 0o600)
    console.log('written')
  } catch (error) {
    console.log(error.code + ': ' + error.message)
  }
`

test.skipIf(process.platform === 'win32')(
  'a disk that takes only the beginning of a file: it is told, and the old file stays whole',
  () => {
    const folder = newFolder()
    const path = join(folder, 'settings.json')
    writeFileSync(path, 'x')
    const script = join(folder, 'replace.mts')
    writeFileSync(script, nearlyFull)
    // In units of 1024 bytes.
    const limited = `ulimit -f 8; exec "$0" --import tsx "$1" "$2"`
    const { stdout } = spawnSync('bash', ['-c', limited, process.execPath, script, path], {
      cwd: projectFolder,
      env: { ...process.env, TSX_DISABLE_CACHE: '1', NODE_OPTIONS: '' },
      encoding: 'utf8',
    })
    expect(stdout).toMatch(
      /^conflict: .*settings\.json can't be written: the system allows no file that large/,
    )
    expect(readFileSync(path, 'utf8')).toBe('x')
    expect(readdirSync(folder).toSorted()).toEqual(['replace.mts', 'settings.json'])
  },
)

const ofOthers = { uid: 65534, gid: 65533 }
const ownerOf = (path: string) => {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

test.skipIf(process.getuid?.() !== 0)('run as root, a file stays its owner’s', () => {
  const path = join(newFolder(), 'config.toml')
  writeFileSync(path, 'x')
  chownSync(path, ofOthers.uid, ofOthers.gid)
  replaceFile(readRealFile(path), 'y', 0o640)
  expect(readFileSync(path, 'utf8')).toBe('y')
  expect(ownerOf(path)).toEqual(ofOthers)
})

test.skipIf(process.getuid?.() !== 0)(
  'run as root, a new file and its folders are of whose home they are in',
  () => {
    const home = join(newFolder(), 'home')
    mkdirSync(home)
    chownSync(home, ofOthers.uid, ofOthers.gid)
    const path = join(home, '.config/opencode/opencode.json')
    replaceFile(readRealFile(path), '{}', 0o600)
    for (const made of [path, join(home, '.config/opencode'), join(home, '.config')]) {
      expect(ownerOf(made), made).toEqual(ofOthers)
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'a link that comes back to itself through a missing folder is a file that isn’t there',
  () => {
    const path = join(newFolder(), 'settings.json')
    symlinkSync('missing/../settings.json', path)
    expect(readRealFile(path)).toMatchObject({ path, bytes: null, text: null })
  },
)
