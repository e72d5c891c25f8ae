import { expect, test } from 'vitest'
import type {
  ExchangeRequest,
  Part,
  ToolDefinition,
  Turn,
} from '../../../../main/convert/exchange.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkMessages } from '../../../support/strict/requests/check-messages.ts'
import { chatRequest, type Encoded, encodeFor, type Fields, targetOf } from './exchange-parts.ts'

/** The encoded request, once the strict Claude has accepted it. */
function sent(request: ExchangeRequest): Encoded {
  const encoded = encodeFor('claude-opus-4-8', request)
  checkMessages(encoded.body, { 'anthropic-version': '2023-06-01' }, new IssuedStates())
  return encoded
}

const text = (value: string, fields: Partial<Part> = {}): Part =>
  ({ type: 'text', text: value, ...fields }) as Part
const user = (value: string): Turn => ({ role: 'user', parts: [text(value)] })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })

const messagesOf = ({ body }: Encoded) => body.messages as { role: string; content: Fields[] }[]

test('cache marks: four at most, the last ones, none on what was empty, hours before minutes', () => {
  const marked = (value: string, ttl: string | null) => text(value, { cacheMark: { ttl } })
  const encoded = sent(
    chatRequest({
      turns: [
        { role: 'system', parts: [marked('A', '1h'), marked('B', '1h')] },
        { role: 'user', parts: [marked('C', null), text('D'), marked('', null)] },
        assistant(text('E')),
        { role: 'user', parts: [marked('F', '1h'), marked('G', '30m')] },
      ],
    }),
  )
  const marks = [
    ...(encoded.body.system as Fields[]),
    ...messagesOf(encoded).flatMap(({ content }) => content),
  ].map((block) => [block.text, block.cache_control])
  const short = { type: 'ephemeral' }
  expect(marks.filter(([, mark]) => mark)).toEqual([
    ['C', short],
    ['D', short],
    ['F', short],
    ['G', short],
  ])
})

test.each<[string, (string | null)[], string[]]>([
  ['five marks', [null, null, null, null, null], ['only the last 4 cache marks are taken']],
  ['an hour behind five minutes', ['5m', '1h'], [expect.any(String)]],
  ['four marks, hours first', ['1h', '1h', '5m', null], []],
])('a client that sets %s learns whether Claude caches by them', (_, times, losses) => {
  const parts = times.map((ttl, index) => text(`${index}`, { cacheMark: { ttl } }))
  const target = targetOf('claude-opus-4-8')
  messagesConversion.encodeRequest(chatRequest({ turns: [{ role: 'user', parts }] }), target)
  expect(target.loss.entries.map(({ note }) => note)).toEqual(losses)
})

const tools: ToolDefinition[] = [{ type: 'function', name: 'f', schema: null }]
const forced = { mode: 'required' } as const

test.each<[string, number, Partial<ExchangeRequest>]>([
  [
    'a client that caches by a key: tools, system and the last two turns',
    4,
    { cacheKey: 'k', tools },
  ],
  ['an agent, which has tools', 4, { tools }],
  ['no call that is made to use a tool', 0, { tools, toolChoice: forced }],
  ['no call without tools', 0, {}],
])('marks are set unasked for %s', (_, marks, fields) => {
  const turns = [{ role: 'system', parts: [text('S')] }, user('1'), assistant(text('2')), user('3')]
  const { body } = sent(chatRequest({ turns, ...fields } as Partial<ExchangeRequest>))
  expect(JSON.stringify(body).split('cache_control').length - 1).toBe(marks)
})

test('a mark for the whole request is one of the four', () => {
  const cache_control = { type: 'ephemeral' }
  const content = ['A', 'B', 'C', 'D'].map((value) => ({
    type: 'text',
    text: value,
    cache_control,
  }))
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }], cache_control }
  const encoded = sent(messagesConversion.decodeRequest(body, {}))
  expect(encoded.body.cache_control).toEqual(cache_control)
  const marked = messagesOf(encoded)[0]?.content.filter((block) => block.cache_control)
  expect(marked?.map((block) => block.text)).toEqual(['B', 'C', 'D'])
})
