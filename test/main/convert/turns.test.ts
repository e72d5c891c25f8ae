import { describe, expect, test } from 'vitest'
import type { Part, ToolResultPart, Turn } from '../../../main/convert/exchange.ts'
import { Loss } from '../../../main/convert/loss.ts'
import { completeResults, leadingSystem, mergeTurns } from '../../../main/convert/turns.ts'

const text = (words: string): Part => ({ type: 'text', text: words })
const turn = (role: Turn['role'], ...parts: Part[]): Turn => ({ role, parts })
const call = (id: string | null, name: string): Part => ({
  type: 'call',
  id,
  name,
  kind: 'function',
  arguments: '{}',
  at: `call ${id ?? name}`,
})
const result = (callId: string | null, name: string | null, words: string): ToolResultPart => ({
  type: 'result',
  callId,
  name,
  kind: 'function',
  isError: false,
  parts: [{ type: 'text', text: words }],
})

/** Turns as short words: `tool: A=one B=two`. */
const brief = (turns: readonly Turn[]) =>
  turns.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'call') return `${part.name}()`
      if (part.type !== 'result') return part.type
      const told = part.parts.map((one) => (one.type === 'text' ? one.text : one.type))
      return `${part.callId ?? part.name}=${told.join('+')}${part.isError ? '!' : ''}`
    })
    return `${role}: ${words.join(' ')}`
  })

function complete(...turns: Turn[]) {
  const loss = new Loss()
  return { turns: brief(completeResults(turns, loss)), losses: loss.entries }
}

describe('results of calls', () => {
  test('stand in the order of the calls, whatever order the client sent them in', () => {
    const { turns, losses } = complete(
      turn('assistant', text('Let me see.'), call('a', 'one'), call('b', 'two')),
      turn('tool', result('b', null, 'B')),
      turn('tool', result('a', null, 'A')),
    )
    expect(turns).toEqual(['assistant: Let me see. one() two()', 'tool: a=A b=B'])
    expect(losses).toEqual([])
  })

  test('stand before what the user says with them', () => {
    const { turns } = complete(
      turn('assistant', call('a', 'one')),
      turn('user', text('Hurry.')),
      turn('tool', result('a', null, 'A')),
    )
    expect(turns).toEqual(['assistant: one()', 'tool: a=A', 'user: Hurry.'])
  })

  test('stand before a system turn that came in between', () => {
    const { turns } = complete(
      turn('assistant', call('a', 'one')),
      turn('system', text('Be brief.')),
      turn('tool', result('a', null, 'A')),
      turn('user', text('Go on.')),
    )
    expect(turns).toEqual(['assistant: one()', 'tool: a=A', 'system: Be brief.', 'user: Go on.'])
  })

  test('that never came are put in and told', () => {
    const { turns, losses } = complete(
      turn('assistant', call('a', 'one'), call('b', 'two')),
      turn('tool', result('b', null, 'B')),
      turn('user', text('Well?')),
    )
    expect(turns).toEqual(['assistant: one() two()', 'tool: a=[no result]! b=B', 'user: Well?'])
    expect(losses).toMatchObject([{ path: 'call a', kind: 'approximated' }])
  })

  test('of the last calls are put in too', () => {
    expect(complete(turn('assistant', call('a', 'one'))).turns).toEqual([
      'assistant: one()',
      'tool: a=[no result]!',
    ])
  })

  test('without a call become words of the user’s', () => {
    const orphan = { ...result('gone', null, 'old news'), at: 'messages[1]' }
    const { turns, losses } = complete(turn('user', text('Hi')), turn('tool', orphan))
    expect(turns).toEqual(['user: Hi', 'user: [Result of gone] old news'])
    expect(losses).toMatchObject([{ path: 'messages[1]', kind: 'approximated' }])
  })

  test('sent twice count once', () => {
    const { turns, losses } = complete(
      turn('assistant', call('a', 'one')),
      turn('tool', result('a', null, 'first'), result('a', null, 'second')),
    )
    expect(turns).toEqual(['assistant: one()', 'tool: a=first', 'user: [Result of a] second'])
    expect(losses).toHaveLength(1)
  })

  test('sent again word for word, as Gemini CLI does when it resumes, are left out', () => {
    const again = { ...result('a', null, 'A'), at: 'contents[2].parts[2]' }
    const { turns, losses } = complete(
      turn('assistant', call('a', 'one'), call('b', 'two')),
      turn('tool', result('a', null, 'A'), result('b', null, 'B'), again),
      turn('user', text('Once more.')),
    )
    expect(turns).toEqual(['assistant: one() two()', 'tool: a=A b=B', 'user: Once more.'])
    expect(losses).toMatchObject([{ path: 'contents[2].parts[2]', kind: 'dropped' }])
  })

  test('without ids are matched by name, and by order where names repeat', () => {
    const { turns } = complete(
      turn('assistant', call(null, 'read'), call(null, 'list'), call(null, 'read')),
      turn('tool', result(null, 'list', 'L'), result(null, 'read', '1'), result(null, 'read', '2')),
    )
    expect(turns).toEqual(['assistant: read() list() read()', 'tool: read=1 list=L read=2'])
  })

  test('that come after a later answer are moved up to their call', () => {
    const { turns, losses } = complete(
      turn('assistant', call('a', 'one')),
      turn('user', text('Meanwhile?')),
      turn('assistant', text('Waiting.'), call('b', 'two')),
      turn('tool', result('a', null, 'A'), result('b', null, 'B')),
    )
    expect(turns).toEqual([
      'assistant: one()',
      'tool: a=A',
      'user: Meanwhile?',
      'assistant: Waiting. two()',
      'tool: b=B',
    ])
    expect(losses).toHaveLength(1)
  })

  test('of an id that is used again stay with their own call', () => {
    const { turns } = complete(
      turn('assistant', call('x', 'one')),
      turn('user', text('Again.')),
      turn('assistant', call('x', 'one')),
      turn('tool', result('x', null, 'second')),
    )
    expect(turns).toEqual([
      'assistant: one()',
      'tool: x=[no result]!',
      'user: Again.',
      'assistant: one()',
      expect.stringMatching(/^tool: x_\w{12}=second$/),
    ])
  })

  test('that come late, of an id that is used again, go to the last call of that id', () => {
    const { turns } = complete(
      turn('assistant', call('x', 'one')),
      turn('user', text('Again.')),
      turn('assistant', call('x', 'one')),
      turn('user', text('Meanwhile?')),
      turn('assistant', text('Waiting.')),
      turn('tool', result('x', null, 'second')),
    )
    expect(turns).toEqual([
      'assistant: one()',
      'tool: x=[no result]!',
      'user: Again.',
      'assistant: one()',
      expect.stringMatching(/^tool: x_\w{12}=second$/),
      'user: Meanwhile?',
      'assistant: Waiting.',
    ])
  })

  test('follow a run of several assistant turns as one', () => {
    const { turns } = complete(
      turn('assistant', call('a', 'one')),
      turn('assistant', call('b', 'two')),
      turn('tool', result('a', null, 'A'), result('b', null, 'B')),
    )
    expect(turns).toEqual(['assistant: one()', 'assistant: two()', 'tool: a=A b=B'])
  })

  test('learn the name and id that their call has', () => {
    const [, tool] = completeResults(
      [turn('assistant', call('a', 'one')), turn('tool', result('a', null, 'A'))],
      new Loss(),
    )
    expect(tool?.parts[0]).toMatchObject({ callId: 'a', name: 'one' })
  })

  test('keep what their message carried', () => {
    const native = { origin: 'chat' as const, fields: { name: 'x' } }
    const [, tool] = completeResults(
      [
        turn('assistant', call('a', 'one'), call('b', 'two')),
        { ...turn('tool', result('a', null, 'A')), native, at: 'messages[2]' },
        turn('tool', result('b', null, 'B')),
      ],
      new Loss(),
    )
    expect(tool?.at).toBe('messages[2]')
    expect(tool?.parts.map((part) => part.type === 'result' && part.native)).toEqual([
      native,
      undefined,
    ])
  })
})

describe('turns', () => {
  test('that share a message are put together', () => {
    const turns = [
      turn('tool', result('a', null, 'A')),
      turn('user', text('Go on.')),
      turn('assistant', text('Yes.')),
      turn('assistant', text('Done.')),
    ]
    const isUser = (role: Turn['role']) => role === 'user' || role === 'tool'
    const merged = mergeTurns(turns, (a, b) => a === b || (isUser(a) && isUser(b)))
    expect(brief(merged)).toEqual(['tool: a=A Go on.', 'assistant: Yes. Done.'])
    expect(turns[0]?.parts).toHaveLength(1)
  })

  test('keep the fields of their own format when they are put together', () => {
    const native = (fields: Record<string, unknown>) => ({ origin: 'messages' as const, fields })
    const [merged] = mergeTurns(
      [
        { ...turn('user', text('a')), native: native({ x: 1 }) },
        { ...turn('user', text('b')), native: native({ x: 2, y: 3 }) },
      ],
      (a, b) => a === b,
    )
    expect(merged?.native?.fields).toEqual({ x: 1, y: 3 })
  })

  test('of the system count as the prompt only while nobody has spoken', () => {
    const first = turn('system', text('You are a clerk.'))
    const second = turn('system', text('Be brief.'))
    const user = turn('user', text('Hi'))
    expect(leadingSystem([first, second, user, second])).toEqual({
      system: [first, second],
      rest: [user, second],
    })
    expect(leadingSystem([first])).toEqual({ system: [first], rest: [] })
    expect(leadingSystem([user])).toEqual({ system: [], rest: [user] })
  })
})
