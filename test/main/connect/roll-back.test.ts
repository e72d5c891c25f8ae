import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRealFile } from '../../../main/connect/real-file.ts'
import { rollBack } from '../../../main/connect/roll-back.ts'

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
    message: `${held} could not be put back after another file could not be written. Make it writable and make room on the disk, then choose Undo.`,
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
