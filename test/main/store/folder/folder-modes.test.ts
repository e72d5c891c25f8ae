import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFolder } from '../../../../main/store/folder/folder.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

function folderOf(mode: number, files: Record<string, number> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-modes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, fileMode] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), fileMode)
  }
  chmodSync(folder, mode)
  return folder
}

function open(folder: string): readonly string[] {
  const opened = openFolder(folder)
  onTestFinished(() => opened.release())
  return opened.warnings
}

describe.skipIf(process.platform === 'win32')('a data folder that is there already', () => {
  test.each([0o777, 0o775, 0o755, 0o770])(
    'with mode %o is closed to others, and it is told',
    (mode) => {
      const folder = folderOf(mode, { 'secret.key': 0o600 })
      expect(open(folder)).toEqual([expect.stringContaining(`(mode 0${mode.toString(8)})`)])
      expect(modeOf(folder)).toBe('700')
    },
  )

  test('leaves what its links lead to as it is', () => {
    const elsewhere = folderOf(0o755, { 'secret.key': 0o644, 'logs/old.log': 0o644 })
    const folder = folderOf(0o700)
    symlinkSync(join(elsewhere, 'secret.key'), join(folder, 'secret.key'))
    symlinkSync(join(elsewhere, 'logs'), join(folder, 'logs'))
    expect(open(folder)).toEqual([])
    expect(modeOf(join(elsewhere, 'secret.key'))).toBe('644')
    expect(modeOf(join(elsewhere, 'logs/old.log'))).toBe('644')
  })

  test('has its own files closed too', () => {
    const files = {
      'secret.key': 0o644,
      'state.json': 0o664,
      'ledger.db': 0o600,
      'logs/old.log': 0o644,
      'logs/older.log': 0o644,
      'logs/oldest.log': 0o640,
    }
    const folder = folderOf(0o700, files)
    const [warning = '', ...others] = open(folder)
    expect(warning).toMatch(/secret\.key.*Only this user/)
    expect(warning).toContain('state.json')
    expect(warning).not.toContain('ledger.db')
    expect(others).toEqual([])
    for (const name of Object.keys(files)) expect(modeOf(join(folder, name))).toBe('600')
  })

  test('that holds other things is closed to writing only, and they stay as they are', () => {
    const folder = folderOf(0o777, { 'notes.txt': 0o644 })
    expect(open(folder)).toHaveLength(1)
    expect(modeOf(folder)).toBe('755')
    expect(modeOf(join(folder, 'notes.txt'))).toBe('644')
  })

  test('that is in order is not spoken of', () => {
    expect(open(folderOf(0o700, { 'secret.key': 0o600 }))).toEqual([])
    expect(open(folderOf(0o755, { 'notes.txt': 0o644 }))).toEqual([])
  })

  test('that all users of the machine share is refused and left as it is', () => {
    const folder = folderOf(0o1777, { 'notes.txt': 0o644 })
    expect(() => open(folder)).toThrow(/shared by all users.*--data-dir/)
    expect(modeOf(folder)).toBe('1777')
  })

  test.runIf(process.getuid?.() === 0)('that belongs to another user is refused', () => {
    const folder = folderOf(0o777)
    chownSync(folder, 4321, 4321)
    process.seteuid?.(1234)
    const self = process.getuid
    process.getuid = () => 1234
    try {
      expect(() => open(folder)).toThrow(/belongs to another user/)
    } finally {
      process.getuid = self as () => number
      process.seteuid?.(0)
    }
  })
})
