import { expect, test } from 'vitest'
import { replyTo } from '../../main/adaptor/echo/reply/echo-reply.ts'
import { createChatScanner } from '../../main/convert/chat/stream/scanner.ts'
import { ExactNumber, parseExact } from '../../main/convert/json/exact-json.ts'
import { JsonFields } from '../../main/convert/json/json-fields.ts'
import { cleanMedia } from '../../main/convert/media/media.ts'
import { BlockWriter } from '../../main/convert/messages/stream/block-writer.ts'
import { CallLane } from '../../main/convert/messages/stream/stream-lane.ts'
import { modelName } from '../../main/convert/model/model-name.ts'
import { collectStream } from '../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../main/convert/stream/stream-part.ts'
import { withoutBlocks } from '../../main/inspect/sessions/session-title.ts'
import { detectImporter } from '../../main/transfer/from/importers.ts'

// Texts of callers, vendors and files on which a pattern that can match in many ways, or that looks at each character
// again and again, would keep the gateway from all other work for minutes or for ever.

const MILLION = 1_000_000

test('an image that is a row of comments is no SVG, and comments before one do not hide it', () => {
  const typeOf = (text: string) =>
    cleanMedia('image/png', Buffer.from(text).toString('base64')).mediaType
  expect(typeOf('<!---->'.repeat(54))).toBe('image/png')
  expect(typeOf(`${'<!-- > -->\n'.repeat(9)}<?XML ?><!DOCTYPE svg><svg>`)).toBe('image/svg+xml')
  expect(typeOf('<!-- <svg>')).toBe('image/png')
})

test('a file of blank lines and comments is no .env file, and one that begins so is', () => {
  const beginning = '\n# one\r\n\n  \n'.repeat(40)
  expect(detectImporter(`${beginning}hello: world`)).toBeNull()
  expect(detectImporter(`${beginning}OPENAI_API_KEY=sk-x`)?.id).toBe('env')
  expect(detectImporter(`${'\n'.repeat(MILLION)}hello: world`)).toBeNull()
})

test('a number with a million digits is kept as it is', () => {
  const text = `0.1${'0'.repeat(MILLION)}1`
  const value = parseExact(text)
  expect(value).toBeInstanceOf(ExactNumber)
  expect((value as ExactNumber).text === text).toBe(true)
})

test('a million open braces are no arguments of a tool', () => {
  const turn = {
    ...{ toolResult: null, tools: [{ name: 'look', schema: {} }], toolChoice: 'required' as const },
    ...{ maxTokens: null, stop: [], thinking: false, json: null, inputTokens: 7 },
  }
  expect(replyTo({ ...turn, text: '{'.repeat(MILLION) }).toolCall?.name).toBe('look')
  expect(replyTo({ ...turn, text: 'look: {"at": "{it}"}, please' }).toolCall?.arguments).toEqual({
    at: '{it}',
  })
})

test('a million openings of blocks are what a person said', () => {
  const text = '<a-b> '.repeat(MILLION).trim()
  expect(withoutBlocks(text) === text).toBe(true)
  expect(withoutBlocks('<a-b>Fix it. <c_d x="1">or</c_d> not')).toBe('<a-b>Fix it.  not')
})

test('a name of a million brackets or colons is a name', () => {
  expect(modelName(`${'['.repeat(MILLION)}x`)).toHaveLength(MILLION + 1)
  expect(modelName(`${':'.repeat(MILLION)}/gpt-5:free`)).toBe('gpt-5')
  expect(modelName('x:y/anthropic.claude-sonnet-4-5-20250929-v1:0[1m]')).toBe('claude-sonnet-4-5')
})

test('a wild number of a choice makes no empty ones', () => {
  const collected = (choice: number) => {
    const stream = collectStream()
    const text: StreamPart[] = [
      { type: 'response-start', id: 'r', model: 'm', created: 0 },
      { type: 'text-start', block: 0, choice },
      { type: 'text-delta', block: 0, text: 'a' },
      { type: 'text-end', block: 0 },
      { type: 'stop', choice, stop: { reason: 'end' } },
      { type: 'response-end' },
    ]
    for (const part of text) stream.push(part)
    return stream.response().choices
  }
  expect(collected(127)).toHaveLength(128)
  for (const wild of [128, 30_000_000, 0.5, -1]) {
    expect(() => collected(wild), String(wild)).toThrow(`has a choice with the index ${wild}`)
  }
})

const scan = (...bytes: readonly string[]) => {
  const request = new JsonFields(Buffer.from('{}'))
  const scanner = createChatScanner({
    withholdUsage: false,
    showModel: null,
    asArray: false,
    request,
  })
  for (const one of bytes) scanner.push(Buffer.from(one))
  scanner.flush()
  return scanner
}

test('an event of a million lines is no sample of a million lines', () => {
  const scanner = scan('data: x\n'.repeat(MILLION))
  expect(scanner.estimateOutput()).toBe(0)
  expect(scanner.isWhole()).toBe(false)
})

test('a line is parsed once, however often it tells of an error, usage or an end', () => {
  const keys = ['{"error":0}', '{"usage":0}', '{"finish_reason":0}', '"[DONE]"']
  const line = `data: {"a":[${keys.join()}${`,${keys.join()}`.repeat(4000)}]}\n\n`
  const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
  const scanner = scan(...Array(10).fill(line), last)
  expect(scanner.error).toBeNull()
  expect(scanner.isWhole()).toBe(true)
})

test('arguments of a call that are no object may come in half a million pieces', () => {
  const lane = new CallLane({ type: 'tool_use' }, 'm', false)
  const writer = new BlockWriter()
  for (let count = 0; count < MILLION / 2; count++) {
    lane.take({ type: 'call-delta', block: 0, text: '1' })
    lane.hurry()
    lane.write(writer)
  }
  lane.end(null)
  lane.write(writer)
  expect(writer.written).toBeGreaterThan(MILLION / 2)
})
