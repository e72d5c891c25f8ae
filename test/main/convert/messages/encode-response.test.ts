import { expect, test } from 'vitest'
import type { Part } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { encodeUsage } from '../../../../main/convert/messages/answer/answer-usage.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { carriesMark, readState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import {
  answerTarget,
  blocksOf,
  encodeFor,
  encodeParts,
  eventsOf,
  type Fields,
} from './exchange-parts.ts'

const answer = (parts: Part[], fields: Partial<ExchangeResponse> = {}): ExchangeResponse => ({
  id: 'chatcmpl-1',
  model: 'gpt',
  created: 1,
  choices: [{ parts, stop: { reason: 'end' } }],
  usage: null,
  ...fields,
})

const encode = (response: ExchangeResponse) =>
  messagesConversion.encodeResponse(response, answerTarget())

const call: Part = { type: 'call', id: 'c 1', name: 'f', kind: 'function', arguments: '' }

test('an answer has every field of the vendor’s, under the name that was asked for', () => {
  const message = encode(answer([{ type: 'text', text: 'Hi' }]))
  expect(message).toEqual({
    id: 'msg_20261121101534a1b2c3d4e5f6',
    type: 'message',
    role: 'assistant',
    model: 'asked-for',
    content: [{ type: 'text', text: 'Hi', citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: expect.objectContaining({ input_tokens: 321, output_tokens: 1 }) as unknown,
  })
})

test('calls decide the stop reason, have sound ids and never an input that is no object', () => {
  const { content, stop_reason } = encode(answer([call, { ...call, id: null, arguments: '[1]' }]))
  expect(stop_reason).toBe('tool_use')
  expect(content).toMatchObject([{ input: {} }, { input: { _raw: '[1]' } }])
  for (const { id } of content as Fields[]) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
})

test('free text for a tool is the one argument of a call, whole and in pieces', () => {
  const free = '{"not": an object'
  const { content } = encode(answer([{ ...call, kind: 'freeform', arguments: free }]))
  expect(content).toMatchObject([{ input: { input: free } }])
  const streamed = encodeParts([
    { type: 'call-start', block: 0, choice: 0, id: 'c1', name: 'f', kind: 'freeform' },
    { type: 'call-delta', block: 0, text: free.slice(0, 5) },
    { type: 'call-delta', block: 0, text: free.slice(5) },
    { type: 'call-end', block: 0 },
    { type: 'stop', choice: 0, stop: { reason: 'tool-calls' } },
    { type: 'response-end' },
  ])
  const [block] = blocksOf(eventsOf(streamed))
  expect(JSON.parse(String(block?.json))).toEqual({ input: free })
})

test('arguments that were cut with the answer are brought to an end', () => {
  const cut = answer([{ ...call, arguments: '{"path":"a","text":"begin' }])
  const { content, stop_reason } = encode({
    ...cut,
    choices: [{ parts: cut.choices[0]?.parts ?? [], stop: { reason: 'length' } }],
  })
  expect(stop_reason).toBe('max_tokens')
  expect(content).toMatchObject([{ input: { path: 'a' } }])
})

test('state of other vendors survives the client’s echo and comes back to where it stood', () => {
  const google = { origin: 'generate-content', kind: 'signature', data: 'Ci', model: 'g' } as const
  const secret = {
    origin: 'responses',
    kind: 'encrypted',
    data: 'gA',
    model: 'o',
    id: 'rs',
  } as const
  const { content } = encode(
    answer([
      { type: 'reasoning', sections: ['Hm.'], form: 'summary', state: secret },
      { type: 'text', text: 'Hi' },
      { ...call, state: google },
    ]),
  )
  const echoed = { model: 'm', max_tokens: 9, messages: [{ role: 'assistant', content }] }
  expect(carriesMark(Buffer.from(JSON.stringify(echoed)))).toBe(true)
  const { turns } = messagesConversion.decodeRequest(echoed, {})
  expect(turns[0]?.parts).toMatchObject([
    { type: 'reasoning', sections: ['Hm.'], state: secret },
    { type: 'text', text: 'Hi' },
    { type: 'reasoning', sections: [], state: google },
    { type: 'call' },
  ])
})

test('a web address that another vendor cites is shown, and never sent to Anthropic', () => {
  const cited: Part = {
    type: 'text',
    text: 'Bern is the capital.',
    citations: [{ type: 'url', url: 'https://a.example', title: 'A', start: 0, end: 4 }],
  }
  const { content } = encode(answer([cited]))
  const [block] = content as { citations: Fields[] }[]
  expect(block?.citations).toMatchObject([
    {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'A',
      cited_text: 'Bern',
    },
  ])
  expect(
    readState(String(block?.citations[0]?.encrypted_index), 'messages', 'encrypted').data,
  ).toBe('')
  const user = { role: 'user', content: 'x' }
  const messages = [user, { role: 'assistant', content }, user]
  const request = messagesConversion.decodeRequest({ model: 'm', max_tokens: 9, messages }, {})
  expect(request.turns[1]?.parts).toMatchObject([{ citations: [{ url: 'https://a.example' }] }])
  const { body } = encodeFor('claude-opus-4-8', request)
  expect(JSON.stringify(body.messages)).not.toContain('citations')
})

test('an image in the answer is told of', () => {
  const data = Buffer.alloc(3072).toString('base64')
  const source = { type: 'base64', mediaType: 'image/png', data } as const
  const { content } = encode(answer([{ type: 'media', kind: 'image', source }]))
  expect(content).toMatchObject([
    { type: 'text', text: expect.stringContaining('image, image/png, 3 KiB') as string },
  ])
})

test('what a content filter stopped is a refusal with the vendor’s word', () => {
  const message = encode({
    ...answer([]),
    choices: [{ parts: [], stop: { reason: 'content-filter', vendorReason: 'SAFETY' } }],
  })
  expect(message).toMatchObject({
    content: [],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: null, explanation: 'SAFETY' },
  })
})

test('token counts go both ways, and a counting body holds nothing that only an answer needs', () => {
  const { count } = messagesConversion
  expect(count?.decodeResponse({ input_tokens: 671 })).toBe(671)
  expect(count?.decodeResponse({})).toBeNull()
  expect(count?.encodeResponse(5)).toEqual({ input_tokens: 5 })
  const body = { model: 'x', max_tokens: 1, stream: true, messages: [], tools: [], metadata: {} }
  expect(count?.wrapRequest(body, 'claude')).toEqual({ model: 'claude', messages: [], tools: [] })
})

test('a client’s fields that Anthropic alone knows are noted when they go nowhere', () => {
  const body = { model: 'm', max_tokens: 1, messages: [], inference_geo: 'eu', fallbacks: [] }
  const { native } = messagesConversion.decodeRequest(body, {})
  const loss = new Loss(messagesConversion.fieldNames)
  expect(loss.native(native, 'chat')).toEqual({})
  expect(loss.entries.map(({ path }) => path)).toEqual(['inference_geo', 'fallbacks'])
})

test('what is kept in the cache for an hour is not told as kept for five minutes too', () => {
  const usage = { input: 100, cachedInput: 0, cacheWrite: 80, output: 1, reasoning: 0 }
  const { cache_creation } = encodeUsage({ ...usage, detail: { cacheWrite1h: 50 } }, undefined)
  expect(cache_creation).toEqual({
    ...{ ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 50 },
  })
})
