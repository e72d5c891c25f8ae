import { describe, expect, test } from 'vitest'
import type {
  ExchangeRequest,
  ReasoningState,
  WireFormat,
} from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import {
  withMaker,
  withReadableStates,
} from '../../../../main/convert/reasoning/returning-states.ts'

const state = (origin: WireFormat, model: string | null): ReasoningState => ({
  origin,
  kind: 'signature',
  data: 'x',
  model,
})
/** Is the state sent back to `to`? */
function isKept(made: ReasoningState, to: string, client: WireFormat = 'messages'): boolean {
  const request: ExchangeRequest = {
    origin: client,
    model: 'm',
    stream: false,
    turns: [
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', sections: ['Hm.'], form: 'raw', state: made, at: 'here' }],
      },
    ],
    tools: [],
  }
  const loss = new Loss()
  const readable = withReadableStates(request, made.origin, to, loss)
  const [part] = readable.turns[0]?.parts ?? []
  expect(part).toMatchObject({ type: 'reasoning', sections: ['Hm.'] })
  const kept = part !== undefined && 'state' in part
  expect(loss.header()).toBe(kept ? '' : 'dropped here')
  return kept
}

describe('reasoning state goes back', () => {
  test('in Chat only to the very model that made it', () => {
    const made = state('chat', 'anthropic/claude-opus-5')
    expect(isKept(made, 'anthropic/claude-opus-5')).toBe(true)
    expect(isKept(made, 'claude-opus-5-20261001')).toBe(true)
    expect(isKept(made, 'kimi-k3')).toBe(false)
    expect(isKept(state('chat', null), 'kimi-k3')).toBe(false)
    expect(isKept(state('chat', null), 'kimi-k3', 'chat')).toBe(true)
  })

  test('elsewhere to models of its maker, and to those whose maker is not known', () => {
    expect(isKept(state('messages', 'claude-opus-5'), 'claude-sonnet-5-5')).toBe(true)
    expect(isKept(state('messages', 'deepseek-v4'), 'claude-sonnet-5-5')).toBe(false)
    expect(isKept(state('responses', 'gpt-5.6-sol'), 'o3')).toBe(true)
    expect(isKept(state('responses', 'grok-4.5'), 'gpt-5.6-sol')).toBe(false)
    expect(isKept(state('responses', 'gpt-5.6-sol'), 'my-deployment')).toBe(true)
    expect(isKept(state('messages', null), 'claude-sonnet-5-5', 'chat')).toBe(true)
  })
})

test('state of a Chat upstream tells the model that was asked for, whatever the answer calls it', () => {
  const end = { type: 'reasoning-end', block: 0, state: state('chat', 'alias-of-today') } as const
  expect(withMaker(end, 'asked').state.model).toBe('asked')
  const claude = { type: 'reasoning-end', block: 0, state: state('messages', 'claude-5') } as const
  expect(withMaker(claude, 'asked')).toBe(claude)
})
