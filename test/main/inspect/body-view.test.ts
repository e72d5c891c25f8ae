import { expect, test } from 'vitest'
import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'
import { bodyPart, viewBody } from '../../../main/inspect/body/body-view.ts'
import { bordersOf } from '../../../main/inspect/body/borders.ts'

const bodyOf = (bytes: string | Buffer, size?: number): CapturedBody => {
  const chunk = Buffer.from(bytes as string)
  return { chunks: [chunk], times: [], size: size ?? chunk.length }
}

const viewOf = (body: CapturedBody) => viewBody('one', new Map([['one', body]]))

test.each([
  ['', 'empty'],
  ['{"a":1}', 'json'],
  [' [1]', 'json'],
  ['"just a text"', 'json'],
  ['\ufeff{"a":1}', 'json'],
  ['data: {"a":1}\n\n', 'events'],
  ['event: ping\ndata: {}\n\n', 'events'],
  [': a comment\n\n', 'events'],
  ['<html>Bad gateway</html>', 'text'],
  ['{"a":', 'text'],
])('%j is shown as %s', (text, kind) => {
  expect(viewOf(bodyOf(text))).toMatchObject({ kind, text, isWhole: true })
})

test.each([
  ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')],
  ['a NUL in JSON', Buffer.from('{"a":"\0"}')],
])('%s is shown as bytes', (_name, bytes) => {
  expect(viewOf(bodyOf(bytes))).toMatchObject({ kind: 'bytes', text: null, isWhole: false })
})

test('a body that was cut at the cap tells both sizes, and stays JSON though a character is cut in half', () => {
  const bytes = Buffer.from('{"text":"grüße')
  const half = bytes.subarray(0, bytes.indexOf(0xbc))
  expect(viewOf(bodyOf(half, 5000))).toMatchObject({
    kind: 'json',
    size: 5000,
    kept: half.length,
    isWhole: false,
  })
})

test('a long text is given in parts that join to the same text, no character cut in half', () => {
  const text = `a${'😀'.repeat(200_000)}`
  const body = bodyOf(text)
  expect(viewOf(body).text).toHaveLength(65_535)
  let joined = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const part: ReturnType<typeof bodyPart> = bodyPart(body, offset)
    expect(part.text === Buffer.from(part.text ?? '').toString()).toBe(true)
    joined += part.text
    offset = part.next
  }
  expect(joined === text).toBe(true)
})

test('bytes are given in base64, in parts that join to the same bytes', () => {
  const bytes = Buffer.alloc(600_000, Buffer.from([0xff, 0x00, 0x80]))
  const parts: Buffer[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: ReturnType<typeof bodyPart> = bodyPart(bodyOf(bytes), offset)
    parts.push(Buffer.from(part.base64 ?? '', 'base64'))
    offset = part.next
  }
  expect(Buffer.concat(parts).equals(bytes)).toBe(true)
})

test('a border with the bytes of an earlier one names it', () => {
  const request = (text: string) => ({ body: bodyOf(text) })
  const capture = {
    client: { request: request('{"model":"a"}'), answer: { body: bodyOf('{"answer":1}') } },
    exchanges: [
      { request: request('{"model":"b"}'), answer: null },
      { request: request('{"model":"a"}'), answer: { body: bodyOf('{"answer":1}') } },
    ],
  } as unknown as Capture
  const borders = bordersOf(capture)
  const same = [...borders.keys()].map((name) => [name, viewBody(name, borders).sameAs])
  expect(same).toEqual([
    ['client.request', null],
    ['client.answer', null],
    ['exchange.0.request', null],
    ['exchange.1.request', 'client.request'],
    ['exchange.1.answer', 'client.answer'],
  ])
})
