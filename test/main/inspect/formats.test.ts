import { describe, expect, test } from 'vitest'
import { parseExact } from '../../../main/convert/json/exact-json.ts'
import { otherFormats } from '../../../main/inspect/formats/other-formats.ts'
import { prettyJson } from '../../../main/inspect/formats/pretty-json.ts'
import { recordedRequests } from '../../support/recordings/recorded-exchanges.ts'

const requests = recordedRequests.filter(({ name }) => !name.includes('count-tokens'))

describe('the same call in another format', () => {
  test.each(requests.map((one) => [one.name, one] as const))(
    '%s is written in all four, its own unchanged and first',
    (_name, { format, body }) => {
      const bytes = Buffer.from(JSON.stringify(body))
      const views = otherFormats({ format, body: bytes, headers: [], model: 'm', stream: false })
      expect(views.map((one) => one.format).toSorted()).toEqual([
        ...['chat', 'generate-content', 'messages', 'responses'],
      ])
      expect(views[0]).toMatchObject({ format, losses: [], error: null })
      expect(JSON.parse(views[0]?.body ?? '')).toEqual(body)
      for (const { body: text, error } of views) {
        if (error === null) expect(JSON.parse(text)).toBeTypeOf('object')
        else expect(error).toMatch(/^[\w.[\]]+: /)
      }
      expect(views.filter(({ error }) => error === null).length).toBeGreaterThan(1)
    },
  )

  test('tells what each loses, at its path', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      seed: 1,
      logit_bias: { a: 1 },
    }
    const bytes = Buffer.from(JSON.stringify(body))
    const views = otherFormats({
      format: 'chat',
      body: bytes,
      headers: [],
      model: 'm',
      stream: true,
    })
    const lost = Object.fromEntries(
      views.map(({ format, losses }) => [format, losses.map(({ path }) => path)]),
    )
    expect(lost.messages).toEqual(expect.arrayContaining(['seed', 'logit_bias']))
    expect(lost['generate-content']).toEqual(['logit_bias'])
    expect(lost.chat).toEqual([])
  })

  test('asks for a stream where the call did', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true }
    const views = otherFormats({
      format: 'chat',
      body: Buffer.from(JSON.stringify(body)),
      headers: [],
      model: 'm',
      stream: true,
    })
    const asked = views.map(({ format, body: text }) => [format, JSON.parse(text).stream])
    // Gemini's body says nothing of it: its path does.
    expect(Object.fromEntries(asked)).toEqual({
      ...{ chat: true, messages: true, responses: true, 'generate-content': undefined },
    })
  })

  test('says in words what cannot be written', () => {
    const body = Buffer.from('{"model":"m","input":"Hi","previous_response_id":"resp_1"}')
    const views = otherFormats({
      format: 'responses',
      body,
      headers: [],
      model: 'm',
      stream: false,
    })
    const errors = views.map(({ format, error }) => [format, error?.split(':')[0] ?? null])
    expect(errors).toEqual([
      ['responses', null],
      ['chat', 'previous_response_id'],
      ['messages', 'previous_response_id'],
      ['generate-content', 'previous_response_id'],
    ])
  })

  test('a Responses body at Chat’s endpoint is one of Responses', () => {
    const body = Buffer.from('{"model":"m","input":"Hi"}')
    const views = otherFormats({ format: 'chat', body, headers: [], model: 'm', stream: false })
    expect(views[0]?.format).toBe('responses')
    expect(views.find(({ format }) => format === 'chat')?.body).toContain('"content": "Hi"')
  })
})

describe('pretty JSON', () => {
  test.each(requests.map((one) => [one.name, one.body] as const))(
    'of %s says the same',
    (_name, body) => {
      expect(prettyJson(JSON.stringify(body))).toBe(JSON.stringify(body, null, 2))
      expect(prettyJson(JSON.stringify(body, null, 7))).toBe(JSON.stringify(body, null, 2))
    },
  )

  test('keeps numbers and escapes as they were written', () => {
    const text = '{"a":12345678901234567890,"b":[ ],"c":{ },"d":1.0,"e":"\\u00e9\\"{,:"}'
    const pretty = prettyJson(text)
    expect(pretty).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": [],\n  "c": {},\n  "d": 1.0,\n  "e": "\\u00e9\\"{,:"\n}',
    )
    expect(parseExact(pretty)).toEqual(parseExact(text))
  })

  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

  test.each([
    ['one deep value', nested(9000)],
    ['many short values deep down', `${'['.repeat(99)}${'1,'.repeat(50_000)}1${']'.repeat(99)}`],
    ['several deep values', `[${Array(8).fill(nested(9000)).join()}]`],
  ])('of %s is no great many times as long', (_what, text) => {
    const pretty = prettyJson(text)
    expect(pretty.length).toBeLessThan(text.length * 20 + 100_000)
    expect(pretty.replace(/\s/g, '')).toBe(text)
  })
})

test('a request that is mostly depth is shown in all formats', () => {
  const content = (depth: number) => [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'walk', input: { to: depth } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
  ]
  const body = JSON.stringify({ model: 'm', max_tokens: 5, messages: content(12345) })
  const deep = body.replace('12345', '['.repeat(9000) + ']'.repeat(9000))
  const asked = { format: 'messages', headers: [], model: 'm', stream: false } as const
  const views = otherFormats({ ...asked, body: Buffer.from(deep) })
  expect(views.map(({ error }) => error)).toEqual([null, null, null, null])
  for (const { body: text } of views) expect(text.length).toBeLessThan(1_000_000)
})
