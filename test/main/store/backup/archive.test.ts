import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BrokenArchive, readArchive, writeArchive } from '../../../../main/store/backup/archive.ts'
import { tempFolder } from '../folder/temp-folder.ts'

const about = { switchyard: '0.1.0', key: 'file' } as const
const contents: Record<string, string> = {
  'state.json': '{}',
  'secret.key': '',
  'ledger.db': 'x'.repeat(512),
  'refused.db': 'y'.repeat(513),
  'connect/codex.json': 'ü'.repeat(1000),
}

async function archiveOf(files = contents) {
  const home = tempFolder()
  const [from, to] = [join(home, 'from'), join(home, 'to')]
  mkdirSync(join(from, 'connect'), { recursive: true })
  mkdirSync(to)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(from, name), text)
  const path = join(home, 'a.tar.gz')
  await writeArchive(path, from, Object.keys(files), about)
  return { home, path, from, to, names: Object.keys(files) }
}

/** Changes an archive's bytes as they are unpacked. */
function rewrite(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(path)))))
}

const replaced = (path: string, text: string, by: string) =>
  rewrite(path, (bytes) => {
    const at = bytes.indexOf(text)
    bytes.fill(0, at, at + Math.max(text.length, by.length))
    bytes.write(by, at)
    return bytes
  })

const reading = (path: string, to: string) => expect(readArchive(path, to)).rejects
const broken = (message: string) => new BrokenArchive(message)

test('files of any length come back as they were, for their owner only', async () => {
  const { path, to } = await archiveOf()
  const { files } = await readArchive(path, to)
  expect(Object.keys(files)).toEqual(Object.keys(contents))
  for (const [name, text] of Object.entries(contents)) {
    expect(readFileSync(join(to, name), 'utf8')).toBe(text)
    expect(statSync(join(to, name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('tar unpacks a backup too', async () => {
  const { path, to } = await archiveOf()
  execFileSync('tar', ['-xzf', path, '-C', to])
  expect(readdirSync(to).sort()).toEqual(
    ['connect', 'ledger.db', 'manifest.json', 'refused.db', 'secret.key', 'state.json'].sort(),
  )
  for (const [name, text] of Object.entries(contents))
    expect(readFileSync(join(to, name), 'utf8')).toBe(text)
})

test('no file that is there already is written over', async () => {
  const { path, from, names } = await archiveOf()
  const before = readFileSync(path)
  await expect(writeArchive(path, from, names, about)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(path)).toEqual(before)
})

test.each(['../escape', '/tmp/escape', 'connect/../../escape', 'Escape', 'connect/', 'a\\b'])(
  'nothing is unpacked to a path such as %s',
  async (name) => {
    const { home, path, to } = await archiveOf()
    replaced(path, 'refused.db', name)
    await reading(path, to).toThrow(broken('it is damaged'))
    expect(readdirSync(home).sort()).toEqual(['a.tar.gz', 'from', 'to'])
    expect(existsSync('/tmp/escape')).toBe(false)
    expect(readdirSync(to)).not.toContain('Escape')
  },
)

test.each<[string, string, string, string]>([
  [
    'of a newer Switchyard',
    '"version": 1',
    '"version": 2',
    'it was made by a newer Switchyard; install that one first',
  ],
  ['of another kind', 'switchyard-backup', 'switchyard-letter', 'it is not a backup of Switchyard'],
  ['whose list is damaged', '"files": {', '"files": [', 'its list of files is damaged'],
  ['with another byte', 'yyyy', 'yyyz', 'refused.db in it is damaged or missing'],
  ['with a file twice', 'secret.key', 'state.json', 'it holds state.json twice'],
  [
    'whose time isn’t one',
    '"created_at": "20',
    '"created_at": "\\u001b[31m',
    'it is not a backup of Switchyard',
  ],
])('a backup %s is refused', async (_name, text, by, message) => {
  const { path, to } = await archiveOf()
  replaced(path, text, by)
  await reading(path, to).toThrow(broken(message))
})

test.each([
  ['a link in place of a file', 'secret.key', 156, '2', 'it is damaged'],
  ['a list of gigabytes', 'manifest.json', 124, '77777777777', 'its list of files is damaged'],
])('a backup with %s is refused', async (_what, name, at, text, message) => {
  const { path, to } = await archiveOf()
  rewrite(path, (bytes) => {
    bytes.write(text, bytes.indexOf(name) + at)
    return bytes
  })
  await reading(path, to).toThrow(broken(message))
})

test('a backup from which somebody took a file is refused', async () => {
  const { path, to } = await archiveOf()
  rewrite(path, (bytes) => {
    const at = bytes.indexOf('ledger.db')
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1024)])
  })
  await reading(path, to).toThrow(broken('ledger.db in it is damaged or missing'))
})

test('a backup without a state is refused', async () => {
  const { path, to } = await archiveOf({ 'secret.key': 'k' })
  await reading(path, to).toThrow(broken('it holds no state'))
})

test('a backup that is cut anywhere is refused, and so is what is none', async () => {
  const { path, to, home } = await archiveOf()
  const whole = readFileSync(path)
  for (const share of [0.2, 0.5, 0.9]) {
    const folder = join(to, String(share))
    mkdirSync(folder)
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length * share)))
    await reading(path, folder).toThrow(broken('it is cut off'))
  }
  const tar = gunzipSync(whole)
  writeFileSync(path, gzipSync(tar.subarray(0, 3 * 512)))
  mkdirSync(join(to, 'tar'))
  await reading(path, join(to, 'tar')).toThrow(broken('it is cut off'))
  writeFileSync(path, 'no archive')
  await reading(path, join(home, 'to')).toThrow(
    broken('it is damaged, or not a backup of Switchyard'),
  )
  writeFileSync(path, gzipSync('x'.repeat(2000)))
  await reading(path, to).toThrow(broken('it is not a backup of Switchyard'))
})
