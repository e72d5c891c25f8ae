import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
