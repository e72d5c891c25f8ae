import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RotatingFile } from '../../../main/base/log/rotating-file.ts'

const MEBIBYTE = 1024 * 1024

test('the log takes 10 MB at most, keeps the newest lines, and is for its owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'logs', 'switchyard.log')
  const file = new RotatingFile(path)
  const line = (index: number) => `${index} ${'x'.repeat(MEBIBYTE / 4)}\n`
  for (let index = 0; index < 100; index++) file.write(line(index))
  file.close()
  const names = readdirSync(join(folder, 'logs')).sort()
  expect(names).toEqual(['switchyard.log', ...[1, 2, 3, 4].map((part) => `switchyard.log.${part}`)])
  const sizes = names.map((name) => statSync(join(folder, 'logs', name)).size)
  for (const size of sizes) expect(size).toBeLessThan(2.5 * MEBIBYTE)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const numbers = names
    .toReversed()
    .flatMap((name) => [...readFileSync(join(folder, 'logs', name), 'utf8').matchAll(/^\d+/gm)])
    .map(String)
  expect(numbers.at(-1)).toBe('99')
  expect(numbers).toEqual(numbers.map((_, index) => String(100 - numbers.length + index)))
  const again = new RotatingFile(path)
  again.write('more\n')
  again.close()
  expect(readFileSync(path, 'utf8')).toMatch(/^99 [^\n]*\nmore\n$/m)
})

test('a log that was full at the last end is set aside before anything is written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'switchyard.log')
  const old = `${'x'.repeat(2 * MEBIBYTE)}\n`
  writeFileSync(path, old)
  const file = new RotatingFile(path)
  file.write('new\n')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('new\n')
  expect(readFileSync(`${path}.1`, 'utf8')).toBe(old)
})

test('a folder that cannot be written fails nothing', () => {
  const file = new RotatingFile('/proc/none/switchyard.log')
  file.write('lost\n')
  file.close()
})

test('the folder of the log is for its owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  new RotatingFile(join(folder, 'logs', 'switchyard.log')).close()
  expect(statSync(join(folder, 'logs')).mode & 0o777).toBe(0o700)
})

test('a full log is set aside also where somebody took away those before it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'switchyard.log')
  writeFileSync(`${path}.2`, 'older\n')
  writeFileSync(path, 'x'.repeat(2 * MEBIBYTE))
  const file = new RotatingFile(path)
  file.write('new\n')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('new\n')
  expect(readdirSync(folder).sort()).toEqual(['', '.1', '.3'].map((end) => `switchyard.log${end}`))
})

test('a log that cannot be written is tried again after half a minute, not with each line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'home', 'logs', 'switchyard.log')
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const file = new RotatingFile(path)
  mkdirSync(join(folder, 'home'))
  now.mockReturnValue(30_900)
  file.write('too soon\n')
  now.mockReturnValue(31_100)
  file.write('kept\n')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('kept\n')
})
