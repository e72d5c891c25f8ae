import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { DistinctIds } from '../../../../main/convert/tools/distinct-ids.ts'
import { call, hi, loop, result } from '../../../support/strict/loops/small-bodies.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

/** The pairs of calls and results in a body of any format: id and text, in the order of the wire. */
function pairsOf(body: Json): { calls: unknown[]; results: [unknown, string][] } {
  const calls: unknown[] = []
  const results: [unknown, string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const one = value as Json
    const text = /result (\d)/.exec(JSON.stringify(one))?.[0] ?? ''
    if (one.role === 'tool') results.push([one.tool_call_id, text])
    else if (one.type === 'tool_result') results.push([one.tool_use_id, text])
    else if (one.type === 'function_call_output') results.push([one.call_id, text])
    else if ('response' in one && 'name' in one) results.push([one.id, text])
    else if (one.type === 'tool_use' || one.type === 'function') calls.push(one.id)
    else if (one.type === 'function_call') calls.push(one.call_id)
    else if ('args' in one) calls.push(one.id)
    else for (const inner of Object.values(one)) visit(inner)
  }
  visit(body.messages ?? body.input ?? body.contents)
  return { calls, results }
}

const upstreams: readonly WireFormat[] = ['messages', 'responses', 'generate-content']

describe.each(upstreams)('a chat history with repeated ids of calls, for a %s upstream', (to) => {
  const sent = (...turns: Json[][]) => {
    const body = loop([call('call_9')], result('call_9'))
    const messages = [hi, ...turns.flat()]
    return pairsOf(pass('chat', to, { ...body, messages }).body)
  }
  const turn = (ids: readonly string[], from: number): Json[] => [
    { role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) },
    ...ids.map((id, index) => ({ ...result(id), content: `result ${from + index}` })),
  ]

  test('two calls of one turn get an id each, and results go to them in order', () => {
    const { calls, results } = sent(turn(['call_0', 'call_0'], 1))
    expect(new Set(calls).size).toBe(2)
    expect(results).toEqual([
      [calls[0], 'result 1'],
      [calls[1], 'result 2'],
    ])
  })

  test('a vendor that counts from call_0 in every turn is told apart over all of them', () => {
    const { calls, results } = sent(turn(['call_0', 'call_1'], 1), turn(['call_0', 'call_1'], 3))
    expect(new Set(calls).size).toBe(4)
    expect(calls.slice(0, 2)).toEqual(['call_0', 'call_1'])
    expect(results.map(([id]) => id)).toEqual(calls)
    expect(results.map(([, text]) => text)).toEqual(
      [1, 2, 3, 4].map((number) => `result ${number}`),
    )
  })

  test('a history that is sent again with more behind it begins with the same ids', () => {
    const once = sent(turn(['call_0'], 1), turn(['call_0'], 2))
    const again = sent(turn(['call_0'], 1), turn(['call_0'], 2), turn(['call_0'], 3))
    expect(again.calls.slice(0, 2)).toEqual(once.calls)
  })
})

test.each(['messages', 'generate-content', 'responses'] as const)(
  'repeated ids of a %s client are told apart for a chat upstream',
  (from) => {
    const bodies: Readonly<Record<typeof from, Json>> = {
      messages: {
        ...{ model: 'm', max_tokens: 9 },
        messages: [
          hi,
          {
            role: 'assistant',
            content: [1, 2].map(() => ({ type: 'tool_use', id: 'call_0', name: 'get', input: {} })),
          },
          {
            role: 'user',
            content: [1, 2].map((number) => ({
              ...{ type: 'tool_result', tool_use_id: 'call_0', content: `result ${number}` },
            })),
          },
        ],
      },
      'generate-content': {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          {
            role: 'model',
            parts: [1, 2].map(() => ({ functionCall: { id: 'call_0', name: 'get', args: {} } })),
          },
          {
            role: 'user',
            parts: [1, 2].map((number) => ({
              functionResponse: {
                ...{ id: 'call_0', name: 'get', response: { output: `result ${number}` } },
              },
            })),
          },
        ],
      },
      responses: {
        model: 'm',
        input: [
          hi,
          ...[1, 2].map(() => ({
            ...{ type: 'function_call', call_id: 'call_0', name: 'get', arguments: '{}' },
          })),
          ...[1, 2].map((number) => ({
            ...{ type: 'function_call_output', call_id: 'call_0', output: `result ${number}` },
          })),
        ],
      },
    }
    const { calls, results } = pairsOf(pass(from, 'chat', bodies[from]).body)
    expect(new Set(calls).size).toBe(2)
    expect(results).toEqual([
      [calls[0], 'result 1'],
      [calls[1], 'result 2'],
    ])
  },
)

test('however often an id comes, no two are the same, and none is longer than a vendor takes', () => {
  const ids = new DistinctIds(['call_0'])
  const made = Array.from({ length: 2000 }, () => ids.of('call_0'))
  expect(new Set([...made, 'call_0']).size).toBe(2001)
  for (const id of made) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
})
