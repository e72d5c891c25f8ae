import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Capture } from '../../../main/capture/capture.ts'
import { GramFilter } from '../../../main/capture/gram-filter.ts'
import { isEveryCase } from '../../support/every-case.ts'
import { captureOf } from './capture-of.ts'
import { DiskCaptures } from './disk-captures.ts'

let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const WORDS = [
  ...['Straße', 'İstanbul', 'ΟΔΟΣ', 'οδός', '日本語の文', '密码错误', 'größe', 'ﬁnal', '😀🚀', 'ǅ'],
  ...['"quoted"', 'back\\slash', 'new\nline', 'tab\there', 'café', 'x', 'ab', 'the', 'Connection'],
  ...['pool', 'exhausted', 'toolu_01XYZ', 'function', 'return', 'null', '\ud83d', '\u0000zero'],
]
const word = (): string =>
  random(4) === 0 ? random(10 ** 9).toString(36) : (WORDS[random(WORDS.length)] ?? '')
const sentence = (count: number): string => Array.from({ length: count }, word).join(' ')

const SYSTEM = sentence(60)
let written = 0
/** As agents' calls are: most of the text in all of them, some of it in JSON. */
const some = (count: number): Capture[] =>
  Array.from({ length: count }, () => {
    const text = `${SYSTEM} ${sentence(random(12))}`
    const sent = random(2) ? text : JSON.stringify({ messages: [{ content: text }] })
    return captureOf(`call ${written++}`, sent, sentence(random(20)), 1 + random(40))
  })
/** Parts of texts that are there, in other case, and texts that are nowhere: `count` of them, or a quarter. */
const texts = (count: number): string[] =>
  Array.from({ length: isEveryCase ? count : Math.ceil(count / 4) }, () => {
    const text = sentence(1 + random(3))
    const from = random(text.length)
    const part = text.slice(from, from + 1 + random(24))
    return [part, part.toUpperCase(), part.toLowerCase(), text][random(4)] ?? ''
  })

const opened: DiskCaptures[] = []
let captures: DiskCaptures
const also = (other: DiskCaptures): DiskCaptures => {
  opened.push(other)
  return other
}
beforeEach(() => {
  captures = also(new DiskCaptures())
})
afterEach(() => {
  for (const { disk, folder } of opened.splice(0)) {
    disk.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a search that nobody waits for any more stops', async () => {
  await captures.write(some(600))
  const whole = captures.opened
  await captures.search('the')
  const cost = captures.opened - whole
  const controller = new AbortController()
  const before = captures.opened
  const search = captures.search('the', controller.signal)
  controller.abort(new Error('left'))
  await expect(search).rejects.toThrow('left')
  expect(captures.opened - before).toBeLessThan(cost / 2)
  const stopped = captures.opened
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(captures.opened).toBe(stopped)
})

test('a search finds in any text what one capture after the other would show', async () => {
  await captures.write(some(150))
  await captures.expectSame(texts(150))
  await captures.write(some(40))
  await captures.expectSame([...WORDS, ...texts(40), '', 'straSSe', 'SS', '日本語', '"QUOTED"'])
  captures.reopen()
  expect(captures.lacking()).toBe(0)
  await captures.expectSame(texts(60))
})

test('however much was captured before, what comes now is on the disk and found', async () => {
  const large = 40 * 1024 * 1024
  for (const id of ['first', 'second', 'third']) {
    captures.disk.write(id, () => captureOf(id, `the ${id} text`, 'answer'), large)
    await expect.poll(() => captures.disk.has([id]), { timeout: 20_000 }).toEqual([id])
  }
  expect(await captures.search('the third text')).toEqual(['third'])
})

test('however much was deleted on its way to the disk, what comes now is written', async () => {
  const large = 40 * 1024 * 1024
  const write = (id: string) =>
    captures.disk.write(id, () => captureOf(id, 'text', 'answer'), large)
  for (const id of ['first', 'second']) {
    write(id)
    expect(captures.disk.clear(new Set())).toBe(1)
  }
  write('third')
  await expect.poll(() => captures.disk.has(['third']), { timeout: 20_000 }).toEqual(['third'])
})

test('a text that is nowhere is searched without opening the captures', async () => {
  await captures.write(some(640))
  captures.opened = 0
  expect(await captures.search('a text that nobody ever sent')).toEqual([])
  expect(captures.opened).toBeLessThan(30)
})

test('a search for a common text ends with the newest that are wanted', async () => {
  await captures.write(some(200))
  captures.opened = 0
  const found = await captures.disk.search(['pool'], new Set(['known']), 10)
  expect(found).toEqual(captures.searchOneByOne('pool').slice(0, 10))
  expect(captures.opened).toBeLessThan(60)
})

test('nothing is missed after a kill, before and after the filters are made anew', async () => {
  await captures.write(some(150))
  const killed = also(captures.copied())
  expect(killed.lacking()).toBeGreaterThan(0)
  await killed.expectSame(texts(60))
  await killed.write(some(20))
  await killed.expectSame(texts(60))
  await expect.poll(() => killed.lacking()).toBe(20)
  await killed.expectSame(texts(60))
})

test('a file of a version without filters gets them while it is in use', async () => {
  await captures.write(some(200))
  captures.reopen((database) => database.exec('DROP TABLE text_blocks; DROP TABLE text_filters'))
  expect(captures.lacking()).toBe(200)
  await captures.expectSame(texts(40))
  await captures.write(some(100))
  await expect.poll(() => captures.lacking()).toBeLessThan(64)
  await captures.expectSame(texts(80))
  captures.opened = 0
  await captures.search('a text that nobody ever sent')
  expect(captures.opened).toBeLessThan(30)
})

test('what is pruned is gone with its filters, and the rest is found', async () => {
  const [first] = some(1)
  await captures.write([first as Capture, ...some(400)])
  const bytes = captures.disk.size().bytes
  captures.settings.current.CaptureMegabytes = bytes / 2 / 1024 / 1024
  captures.disk.prune()
  expect(captures.disk.has([first?.id ?? ''])).toEqual([])
  expect(captures.disk.size().bytes).toBeLessThanOrEqual(bytes / 2)
  const oldest = captures.inFile((database) => ({
    ...database.prepare('SELECT min(last) AS last FROM text_blocks').get(),
    ...database.prepare('SELECT min(number) AS number FROM captures').get(),
    ...database.prepare('SELECT min(place) AS place FROM text_filters').get(),
  })) as { last: number; number: number; place: number }
  expect(oldest.last).toBeGreaterThanOrEqual(oldest.number)
  expect(Math.floor(oldest.place / 64)).toBeGreaterThan(1)
  await captures.expectSame(texts(80))
})

test('captures that come after all were pruned or deleted are found', async () => {
  await captures.write(some(100))
  captures.settings.current.CaptureMegabytes = 0
  captures.disk.prune()
  expect(captures.disk.size().count).toBe(0)
  captures.settings.current.CaptureMegabytes = 512
  await captures.write(some(100))
  await captures.expectSame(texts(60))
  expect(captures.disk.clear(new Set())).toBe(100)
  expect(await captures.search('pool')).toEqual([])
  await captures.write(some(100))
  await captures.expectSame(texts(60))
})

test('a capture that takes the place of another is found by its new text alone', async () => {
  await captures.write([...some(63), captureOf('again', 'the former wording', '')])
  expect(captures.lacking()).toBe(0)
  await captures.write([captureOf('again', 'the later phrase', '')])
  await expect.poll(() => captures.search('later phrase')).toEqual(['again'])
  expect(await captures.search('former wording')).toEqual([])
})

test('a damaged filter hides nothing', async () => {
  await captures.write(some(260))
  captures.reopen((database) =>
    database.exec(`
      UPDATE text_filters SET sealed = zeroblob(4124) WHERE rowid % 3 = 1;
      UPDATE text_filters SET sealed = zeroblob(3) WHERE rowid % 3 = 2;
      DELETE FROM text_filters WHERE place >= 128 * 64`),
  )
  await captures.expectSame(texts(80))
})

test('without the key the file tells no word, and not which runs of letters are in it', async () => {
  const text = `${'the unmistakable lighthouse audit'} ${Array.from({ length: 800 }, word).join(' ')}`
  await captures.write([captureOf('one', text, '')])
  captures.reopen()
  expect(captures.lacking()).toBe(0)
  const file = readdirSync(captures.folder)
    .map((name) => readFileSync(join(captures.folder, name), 'latin1'))
    .join('')
  expect(file.includes('text_filters')).toBe(true)
  for (const one of ['unmistakable', 'lighthouse', 'audit'])
    expect(file.includes(one), one).toBe(false)
  const filter = new GramFilter()
  filter.add(text.toLowerCase())
  const plain = filter.pieces().map((piece) => piece.toString('latin1'))
  const parts =
    plain
      .join('')
      .match(/[\s\S]{16}/g)
      ?.filter((part) => /([^\0]\0*){6}/.test(part)) ?? []
  expect(parts.length).toBeGreaterThan(20)
  for (const part of parts) expect(file.includes(part)).toBe(false)
})
