import { describe, expect, test } from 'vitest'
import type {
  ExchangeRequest,
  Part,
  ReasoningState,
  ToolCallPart,
  Turn,
} from '../../../../main/convert/exchange.ts'
import { ReasoningMemory } from '../../../../main/relay/memory/reasoning-memory.ts'

const state = (data: string): ReasoningState => ({
  origin: 'messages',
  kind: 'signature',
  data,
  model: 'claude-opus-5-5',
})
const thought = (text: string, data?: string): Part => ({
  type: 'reasoning',
  sections: [text],
  form: 'raw',
  ...(data === undefined ? {} : { state: state(data) }),
})
const call = (id: string | null, args = '{"path":"a.ts","line":7}'): ToolCallPart => ({
  type: 'call',
  id,
  name: 'read',
  kind: 'function',
  arguments: args,
})
const text = (words: string): Part => ({ type: 'text', text: words })
const result = (callId: string | null): Turn => ({
  role: 'tool',
  parts: [{ type: 'result', callId, name: null, kind: 'function', isError: false, parts: [] }],
})

const request = (...turns: Turn[]): ExchangeRequest => ({
  origin: 'chat',
  model: 'm',
  stream: false,
  turns: [{ role: 'user', parts: [text('Look.')] }, ...turns],
  tools: [],
})
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })

/** The parts of the assistant's turns after restoring. */
const restored = (memory: ReasoningMemory, owner: string, ...turns: Turn[]) =>
  memory
    .restore(owner, request(...turns))
    .turns.filter(({ role }) => role === 'assistant')
    .map(({ parts }) => parts)

describe('a client that echoes no thoughts', () => {
  test('is known by every spelling of the arguments, each time that it sends them', () => {
    const memory = new ReasoningMemory()
    memory.remember('token 1', [thought('Hm.', 'sig'), call('c1')])
    memory.remember('token 1', [thought('Ho.', 'sig2'), call('c1', '{"path":"b.ts"}')])
    const spelled = call('c1', '{ "line": 7, "path": "a\\u002ets" }')
    for (let round = 0; round < 2; round++) {
      expect(restored(memory, 'token 1', assistant(spelled), result('c1'))).toEqual([
        [thought('Hm.', 'sig'), spelled],
      ])
    }
    const other = call('c1', '{"path":"c.ts"}')
    expect(restored(memory, 'token 1', assistant(other), result('c1'))).toEqual([[other]])
    expect(restored(memory, 'token 2', assistant(spelled), result('c1'))).toEqual([[spelled]])
  })

  test('gets them put back where they stood, so that the vendor goes on', () => {
    const memory = new ReasoningMemory()
    memory.remember('token 1', [thought('Hm.', 'sig'), text('I look.'), call('call_1')])
    expect(
      restored(memory, 'token 1', assistant(text('I look.'), call('call_1')), result('call_1')),
    ).toEqual([[thought('Hm.', 'sig'), text('I look.'), call('call_1')]])
  })

  test('gets the thoughts between two calls put back between them', () => {
    const memory = new ReasoningMemory()
    const first = call('call_1', '{"n":1}')
    const second = call('call_2', '{"n":2}')
    memory.remember('t', [thought('A', 'a'), first, thought('B', 'b'), second])
    expect(restored(memory, 't', assistant(first, second))).toEqual([
      [thought('A', 'a'), first, thought('B', 'b'), second],
    ])
  })

  test('gets a signature put back on its call', () => {
    const memory = new ReasoningMemory()
    const signed = { ...call('call_1'), state: state('thought-signature') }
    memory.remember('t', [signed])
    expect(restored(memory, 't', assistant(call('call_1')))).toEqual([[signed]])
  })

  test('gets thoughts without state too, which some vendors want back in a tool loop', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('plain'), call('call_1')])
    expect(restored(memory, 't', assistant(call('call_1')))).toEqual([
      [thought('plain'), call('call_1')],
    ])
  })

  test('may write the arguments again in its own way', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call('call_1', '{"a":{"x":1,"y":"é"},"b":[1,2]}')])
    const rewritten = call('call_1', '{\n  "b": [1, 2],\n  "a": {"y": "\\u00e9", "x": 1}\n}')
    expect(restored(memory, 't', assistant(rewritten))).toEqual([[thought('x', 's'), rewritten]])
    const empty = call('call_2', '')
    memory.remember('t', [thought('y', 's'), empty])
    expect(restored(memory, 't', assistant(call('call_2', ' {} ')))[0]).toHaveLength(2)
  })

  test('may be given another id for a call whose own does not fit its format', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call(null)])
    // Google gave no id, so one was made up for the client.
    expect(restored(memory, 't', assistant(call('call_madeup')))[0]).toHaveLength(2)
    expect(restored(memory, 't', assistant(call(null)))[0]).toHaveLength(2)
  })

  test('gets nothing for other arguments, another name or another id', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call('call_1')])
    for (const other of [
      call('call_1', '{"path":"b.ts"}'),
      { ...call('call_1'), name: 'write' },
      { ...call('call_1'), namespace: 'mcp' },
      call('call_2'),
      call(null),
    ]) {
      expect(restored(memory, 't', assistant(other))).toEqual([[other]])
    }
  })
})

describe('thoughts are kept apart', () => {
  test('nobody gets the thoughts of another owner', () => {
    const memory = new ReasoningMemory()
    memory.remember('token 1', [thought('secret', 's'), call('call_1')])
    const asked = request(assistant(call('call_1')))
    expect(memory.restore('token 2', asked)).toBe(asked)
    expect(memory.restore('', asked)).toBe(asked)
  })

  test('a client that echoes any state is left alone', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call('call_1')])
    const echoed = request(assistant(thought('y', 'other'), call('call_1')))
    expect(memory.restore('t', echoed)).toBe(echoed)
    const signed = request(assistant({ ...call('call_1'), state: state('own') }))
    expect(memory.restore('t', signed)).toBe(signed)
  })

  test('a client that echoes the text alone does not have it twice', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call('call_1')])
    expect(restored(memory, 't', assistant(thought('x'), call('call_1')))).toEqual([
      [thought('x', 's'), call('call_1')],
    ])
    memory.remember('t', [thought('plain'), call('call_2')])
    const echoed = request(assistant(thought('plain'), call('call_2')))
    expect(memory.restore('t', echoed)).toBe(echoed)
  })

  test('the client’s request itself is not changed', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [thought('x', 's'), call('call_1')])
    const asked = request(assistant(call('call_1')))
    const before = structuredClone(asked)
    memory.restore('t', asked)
    expect(asked).toEqual(before)
  })
})

describe('the memory forgets', () => {
  const argumentsOf = (index: number) => JSON.stringify({ index })

  test('six hours after the last use', () => {
    let now = 1_000_000
    const memory = new ReasoningMemory({ now: () => now })
    memory.remember('t', [thought('x', 's'), call('call_1')])
    now += 5 * 3600
    expect(restored(memory, 't', assistant(call('call_1')))[0]).toHaveLength(2)
    now += 5 * 3600
    expect(restored(memory, 't', assistant(call('call_1')))[0]).toHaveLength(2)
    now += 6 * 3600
    expect(restored(memory, 't', assistant(call('call_1')))[0]).toHaveLength(1)
    expect(memory.bytes).toBe(0)
  })

  test('not what a large call has used, which another thread converts', () => {
    let now = 1_000_000
    const memory = new ReasoningMemory({ now: () => now })
    memory.remember('t', [thought('x', 's'), call(null)])
    for (let hours = 5; hours <= 15; hours += 5) {
      now += 5 * 3600
      expect(memory.snapshot('t'), `after ${hours} hours`).toHaveLength(1)
    }
  })

  test('what was used longest ago, when there are too many', () => {
    const memory = new ReasoningMemory({ mostEntries: 3 })
    for (const index of [0, 1, 2]) {
      memory.remember('t', [thought('x', 's'), call(`call_${index}`, argumentsOf(index))])
    }
    restored(memory, 't', assistant(call('call_0', argumentsOf(0))))
    memory.remember('t', [thought('x', 's'), call('call_3', argumentsOf(3))])
    const kept = [0, 1, 2, 3].filter(
      (index) =>
        restored(memory, 't', assistant(call(`call_${index}`, argumentsOf(index))))[0]?.length ===
        2,
    )
    expect(kept).toEqual([0, 2, 3])
  })

  test('enough to stay within its size, and never takes what is larger than all of it', () => {
    const memory = new ReasoningMemory({ mostBytes: 20_000 })
    for (let index = 0; index < 50; index++) {
      memory.remember('t', [thought('x'.repeat(1000), 's'), call(`call_${index}`)])
      expect(memory.bytes).toBeLessThanOrEqual(20_000)
    }
    const before = memory.bytes
    memory.remember('t', [thought('x'.repeat(100_000), 's'), call('call_large')])
    expect(memory.bytes).toBe(before)
    memory.remember('t', [thought('x'.repeat(1000), 's'), call('call_49')])
    expect(memory.bytes).toBe(before)
  })

  test('nothing is kept of an answer without thoughts', () => {
    const memory = new ReasoningMemory()
    memory.remember('t', [text('Hi'), call('call_1')])
    expect(memory.bytes).toBe(0)
  })
})
