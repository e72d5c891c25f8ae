import { describe, expect, test } from 'vitest'
import type { ExchangeRequest, Part, Turn } from '../../../../main/convert/exchange.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { ResponseMemory } from '../../../../main/relay/memory/response-memory.ts'

type Json = Record<string, unknown>

const decode = (body: Json): ExchangeRequest =>
  responsesConversion.decodeRequest({ model: 'm', ...body }, {})
const text = (value: string): Part => ({ type: 'text', text: value })
const said = (turns: readonly Turn[]) =>
  turns.map(({ role, parts }) => [
    role,
    ...parts.map((part) => ('text' in part ? part.text : part.type)),
  ])

describe('an answer that is gone on from', () => {
  const memory = new ResponseMemory()
  const first = decode({ instructions: 'Be brief.', input: 'Hi' })
  memory.remember('token 1', 'resp_1', first.turns, [text('Hello')])
  const next = decode({ instructions: 'Be kind.', input: 'And?', previous_response_id: 'resp_1' })

  test('brings its conversation, but not its instructions', () => {
    expect(said(memory.resolve('token 1', 'resp_1') ?? [])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello'],
    ])
    const resumed = memory.resume('token 1', next)
    expect(resumed.previousResponseId).toBeUndefined()
    expect(said(resumed.turns)).toEqual([
      ['system', 'Be kind.'],
      ['user', 'Hi'],
      ['assistant', 'Hello'],
      ['user', 'And?'],
    ])
  })

  test('can be gone on from again and again, and branches', () => {
    memory.remember('token 1', 'resp_2', memory.resume('token 1', next).turns, [text('So.')])
    expect(said(memory.resolve('token 1', 'resp_2') ?? [])).toHaveLength(4)
    expect(said(memory.resolve('token 1', 'resp_1') ?? [])).toHaveLength(2)
  })

  test('is nobody else’s', () => {
    expect(memory.resolve('token 2', 'resp_1')).toBeUndefined()
    expect(memory.resume('token 2', next)).toBe(next)
  })
})

describe('items that a client only names (the Vercel SDK, where answers are stored)', () => {
  const answer: Part[] = [
    { type: 'reasoning', sections: ['Hm.'], form: 'summary' },
    text('One.'),
    text('Two.'),
    { type: 'call', id: 'c1', name: 'f', kind: 'function', arguments: '{}' },
  ]
  const target = {
    id: 'a1',
    model: 'm',
    request: decode({ input: 'Hi' }),
    estimatedInput: 1,
    created: 1,
  }
  const response = {
    id: 'x',
    model: 'm',
    created: null,
    choices: [{ parts: answer, stop: { reason: 'tool-calls' as const } }],
    usage: null,
  }
  const output = responsesConversion.encodeResponse(response, target).output as Json[]
  const memory = new ResponseMemory()
  memory.remember('t', 'resp_a1', decode({ input: 'Hi' }).turns, answer)
  const body = decode({
    input: [
      { role: 'user', content: 'Hi' },
      ...output.map(({ id }) => ({ type: 'item_reference', id })),
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      { type: 'item_reference', id: 'msg_of_the_vendor' },
    ],
  })

  test('are put in their places', () => {
    expect(said(memory.resume('t', body).turns)).toEqual([
      ['user', 'Hi'],
      ['assistant', 'reasoning'],
      ['assistant', 'One.', 'Two.'],
      ['assistant', 'call'],
      ['tool', 'result'],
      ['assistant', 'native'],
    ])
  })

  test('stay references where they are not known', () => {
    expect(memory.resume('other', body)).toBe(body)
  })
})

describe('what is kept', () => {
  const turnsOf = (size: number): Turn[] => [{ role: 'user', parts: [text('x'.repeat(size))] }]

  test('is forgotten six hours after its last use', () => {
    let now = 0
    const memory = new ResponseMemory({ now: () => now })
    memory.remember('t', 'a', turnsOf(10), [])
    now += 5 * 3600
    expect(memory.resolve('t', 'a')).toBeDefined()
    now += 5 * 3600
    expect(memory.resolve('t', 'a')).toBeDefined()
    now += 6 * 3600
    expect(memory.resolve('t', 'a')).toBeUndefined()
    expect(memory.bytes).toBe(0)
  })

  test('is bounded, the least recently used going first', () => {
    const memory = new ResponseMemory({ mostBytes: 100_000 })
    for (const id of ['a', 'b', 'c']) {
      memory.remember('t', id, turnsOf(20_000), [])
      memory.resolve('t', 'a')
    }
    expect(memory.resolve('t', 'a')).toBeDefined()
    expect(memory.resolve('t', 'b')).toBeUndefined()
    expect(memory.resolve('t', 'c')).toBeDefined()
    expect(memory.bytes).toBeLessThanOrEqual(100_000)
    memory.remember('t', 'huge', turnsOf(200_000), [])
    expect(memory.bytes).toBeLessThanOrEqual(100_000)
  })

  test('counts a conversation once, however many answers go on from it', () => {
    const memory = new ResponseMemory()
    memory.remember('t', 'r0', turnsOf(10_000), [])
    for (let index = 0; index < 20; index++) {
      const turns = [...(memory.resolve('t', `r${index}`) ?? []), ...turnsOf(10)]
      memory.remember('t', `r${index + 1}`, turns, [text('ok')])
    }
    expect(memory.bytes).toBeLessThan(40_000)
  })

  test('gives back what a conversation took with the last of its answers, and no sooner', () => {
    let now = 0
    const memory = new ResponseMemory({ now: () => now })
    memory.remember('t', 'first', turnsOf(10_000), [text('ok')])
    const turns = memory.resolve('t', 'first') ?? []
    now += 3 * 3600
    memory.remember('t', 'second', turns, [text('ok')])
    now += 3 * 3600
    expect(memory.resolve('t', 'first')).toBeUndefined()
    expect(memory.bytes).toBeGreaterThan(20_000)
    now += 3 * 3600
    expect(memory.resolve('t', 'second')).toBeUndefined()
    expect(memory.bytes).toBe(0)
  })
})
