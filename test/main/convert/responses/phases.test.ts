import { describe, expect, test } from 'vitest'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { call, encode, result, text, turn } from './strictly-encoded.ts'

describe('a GPT that reads phases', () => {
  const turns = [
    turn('user', text('Go')),
    turn(
      'assistant',
      text('Let me look.'),
      call('call_1', 'look'),
      text('And again.'),
      call('call_2', 'look'),
    ),
    turn('tool', result('call_1', 'look', 'a'), result('call_2', 'look', 'b')),
    turn('assistant', text('Done.')),
    turn('user', text('Thanks')),
  ]
  const phases = (origin: ExchangeRequest['origin'], model: string) =>
    encode({ origin, turns }, { model })
      .input.filter(({ type, role }) => type === 'message' && role === 'assistant')
      .map(({ phase }) => phase)

  test.each(['messages', 'chat', 'generate-content'] as const)(
    'is told which words of a client of %s were its answer, so that it goes on after the others',
    (origin) => {
      const told = ['commentary', 'commentary', 'final_answer']
      expect(phases(origin, 'gpt-5.6-sol')).toEqual(told)
      expect(phases(origin, 'gpt-5.4')).toEqual(told)
    },
  )

  test('and none that doesn’t is told so, nor one whose client says it itself', () => {
    for (const model of ['gpt-5.1', 'gpt-4.1', 'deepseek-v4-pro'])
      expect(phases('messages', model), model).toEqual([undefined, undefined, undefined])
    expect(phases('responses', 'gpt-5.6-sol')).toEqual([undefined, undefined, undefined])
  })
})
