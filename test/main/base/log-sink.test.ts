import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LogSink } from '../../../main/base/log/log-sink.ts'
import { tempFolder } from '../store/folder/temp-folder.ts'

test('a log that cannot be kept is said to be in no file, and its lines are told all the same', () => {
  const folder = tempFolder()
  const path = join(folder, 'logs', 'switchyard.log')
  const stderr: string[] = []
  const sink = new LogSink({ write: (line) => stderr.push(line) }, 40)
  writeFileSync(join(folder, 'logs'), 'no folder')
  onTestFinished(sink.keepIn(path))
  expect(sink.path).toBeNull()
  sink.lastLevel = 40
  sink.write('a line\n')
  expect(stderr).toEqual(['a line\n'])
  expect(sink.recent()).toEqual(['a line'])

  const end = sink.keepIn(join(folder, 'others', 'switchyard.log'))
  expect(sink.path).toBe(join(folder, 'others', 'switchyard.log'))
  end()
  expect(sink.path).toBeNull()
})

test('of a log of any length the last 500 lines can be shown, the oldest first', () => {
  const sink = new LogSink({ write: () => true }, 60)
  const written: string[] = []
  for (let count = 1; count <= 1200; count++) {
    written.push(`line ${count}`)
    sink.write(`line ${count}\n`)
    if (count % 100 === 0) expect(sink.recent()).toEqual(written.slice(-500))
  }
})

test('a log that moved to another file stays there when the first one ends', () => {
  const folder = tempFolder()
  const [one, other] = [join(folder, 'one', 'a.log'), join(folder, 'other', 'b.log')]
  const sink = new LogSink({ write: () => true }, 60)
  const endOne = sink.keepIn(one)
  sink.write('first\n')
  const endOther = sink.keepIn(other)
  endOne()
  expect(sink.path).toBe(other)
  sink.write('second\n')
  endOther()
  expect(readFileSync(one, 'utf8')).toBe('first\n')
  expect(readFileSync(other, 'utf8')).toBe('second\n')
})
