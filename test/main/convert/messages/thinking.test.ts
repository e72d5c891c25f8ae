import { expect, test } from 'vitest'
import type {
  ExchangeRequest,
  Part,
  ReasoningRequest,
  Turn,
} from '../../../../main/convert/exchange.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkMessages } from '../../../support/strict/requests/check-messages.ts'
import { chatRequest, encodeFor, type Fields } from './exchange-parts.ts'

const adaptive = 'claude-opus-4-8'
const before47 = 'claude-opus-4-6'
const budget = 'claude-sonnet-4-5'
const alwaysThinks = 'claude-opus-5-5'

function sent(model: string, fields: Partial<ExchangeRequest>) {
  const { body, losses } = encodeFor(model, chatRequest(fields))
  checkMessages(body, { 'anthropic-version': '2023-06-01' }, new IssuedStates())
  const { thinking, output_config: config, max_tokens } = body
  const effort = (config as Fields | undefined)?.effort
  return { thinking, effort, max_tokens, losses, body }
}

test.each([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
] as const)('effort %s is effort %s on a model that thinks as it sees fit', (effort, spoken) => {
  const asked = sent(adaptive, { reasoning: { effort } })
  expect(asked).toMatchObject({ thinking: { type: 'adaptive' }, effort: spoken })
})

test('an effort that a model does not know goes down to the next', () => {
  const asked = sent(before47, { reasoning: { effort: 'xhigh' } })
  expect(asked).toMatchObject({ effort: 'high', losses: ['approximated reasoning_effort'] })
})

test.each([
  ['minimal', 1280],
  ['low', 6400],
  ['medium', 19_200],
  ['high', 38_400],
  ['xhigh', 57_600],
  ['max', 60_800],
] as const)('effort %s is a budget of %d tokens on an older model', (effort, tokens) => {
  const { thinking, max_tokens } = sent(budget, { reasoning: { effort } })
  expect(thinking).toEqual({ type: 'enabled', budget_tokens: tokens })
  expect(max_tokens).toBe(64_000)
})

test('the limit for visible text is raised by the budget', () => {
  const asked = sent(budget, { reasoning: { effort: 'low' }, maxOutput: 500 })
  expect(asked.max_tokens).toBe(6900)
  expect(asked.losses).toEqual(['approximated max_completion_tokens'])
  expect(sent(budget, { reasoning: { budget: 100 }, maxOutput: 500 })).toMatchObject({
    thinking: { budget_tokens: 1024 },
    max_tokens: 1524,
  })
})

test('a budget as large as all the model can write leaves room for the answer', () => {
  const asked = sent(budget, { reasoning: { budget: 64_000 } })
  expect(asked.thinking).toEqual({ type: 'enabled', budget_tokens: 64_000 - 1024 })
  expect(asked.max_tokens).toBe(64_000)
})

test('thoughts that an older model does not have unasked are told as lost', () => {
  const asked: ReasoningRequest[] = [{ budget: 'dynamic' }, { isShown: true }]
  for (const reasoning of asked) {
    expect(sent(budget, { reasoning })).toMatchObject({
      thinking: undefined,
      losses: ['dropped reasoning_effort'],
    })
  }
  expect(sent(budget, { reasoning: { isShown: false } }).losses).toEqual([])
})

test.each<[string, unknown, unknown]>([
  [adaptive, { type: 'disabled' }, undefined],
  [budget, { type: 'disabled' }, undefined],
  ['claude-haiku-5-5', { type: 'disabled' }, undefined],
  ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
  [alwaysThinks, undefined, 'low'],
])('no thinking on %s is %j, effort %s', (model, thinking, effort) => {
  const offs: ReasoningRequest[] = [{ effort: 'none' }, { budget: 0 }, { mode: 'off' }]
  for (const reasoning of offs) {
    const asked = sent(model, { reasoning })
    expect(asked.thinking).toEqual(thinking)
    expect(asked.effort).toBe(effort)
  }
})

test.each([
  [1024, 'low'],
  [2048, 'low'],
  [8000, 'medium'],
  [24_000, 'high'],
  [60_000, 'high'],
] as const)('a budget of %d tokens is effort %s where budgets are refused', (tokens, effort) => {
  expect(sent(adaptive, { reasoning: { budget: tokens } })).toMatchObject({
    thinking: { type: 'adaptive' },
    effort,
  })
})

test('thinking that is left to the model names no effort, and none on a budget model', () => {
  const asked = sent(adaptive, { reasoning: { budget: 'dynamic', isShown: true } })
  expect(asked.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
  expect(asked.effort).toBeUndefined()
  expect(sent(budget, { reasoning: { budget: 'dynamic' } }).thinking).toBeUndefined()
  expect(sent(adaptive, {}).thinking).toBeUndefined()
})

test('while the model thinks no temperature goes out, and no forced call on older models', () => {
  const tools = [{ type: 'function', name: 'f', schema: null }] as const
  const asked = sent(budget, {
    reasoning: { effort: 'low' },
    temperature: 0.5,
    topK: 3,
    tools: [...tools],
    toolChoice: { mode: 'required' },
  })
  expect(asked.body).not.toHaveProperty('temperature')
  expect(asked.body.tool_choice).toEqual({ type: 'auto' })
  expect(asked.losses).toEqual(['approximated tool_choice', 'dropped temperature', 'dropped topK'])
})

const user: Turn = { role: 'user', parts: [{ type: 'text', text: 'Go' }] }
const call: Part = { type: 'call', id: 'a', name: 'f', kind: 'function', arguments: '{}' }
const result: Turn = {
  role: 'tool',
  parts: [{ type: 'result', callId: 'a', name: 'f', kind: 'function', isError: false, parts: [] }],
}
const tools: ExchangeRequest['tools'] = [{ type: 'function', name: 'f', schema: null }]
const reasoning: ReasoningRequest = { effort: 'high' }

test('in a tool loop whose thoughts are lost, thinking is off where the model allows', () => {
  const turns: Turn[] = [user, { role: 'assistant', parts: [call] }, result]
  for (const model of [budget, adaptive]) {
    const asked = sent(model, { turns, tools, reasoning })
    expect(asked.thinking).toEqual({ type: 'disabled' })
    expect(asked.losses).toContain('approximated reasoning_effort')
  }
  expect(sent(alwaysThinks, { turns, tools, reasoning }).thinking).toEqual({ type: 'adaptive' })
  const later = [...turns, { role: 'assistant', parts: [{ type: 'text', text: 'Done' }] }, user]
  expect(sent(budget, { turns: later as Turn[], tools, reasoning }).thinking).toMatchObject({
    type: 'enabled',
  })
})

test('the vendor’s own thoughts go back unchanged and first, and thinking stays on', () => {
  const issued = new IssuedStates()
  const { data } = issued.issue({ text: 'Hm.', calls: ['a'], said: '', id: '' })
  const state = { origin: 'messages', kind: 'signature', data, model: budget } as const
  const thought: Part = { type: 'reasoning', sections: ['Hm.'], form: 'summary', state }
  const hidden = issued.issue({ text: '', calls: ['a'], said: '', id: '' })
  const redacted: Part = {
    type: 'reasoning',
    sections: [],
    form: 'summary',
    state: { ...state, kind: 'redacted', data: hidden.data },
  }
  const said: Part = { type: 'text', text: 'I look.' }
  const turns: Turn[] = [
    user,
    { role: 'assistant', parts: [said] },
    { role: 'assistant', parts: [thought, redacted, call] },
    result,
  ]
  const { body } = encodeFor(budget, chatRequest({ turns, tools, reasoning }))
  checkMessages(body, { 'anthropic-version': '2023-06-01' }, issued)
  expect(body.thinking).toMatchObject({ type: 'enabled' })
  expect((body.messages as Fields[])[1]?.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.', signature: data },
    { type: 'redacted_thinking', data: hidden.data },
    { type: 'text' },
    { type: 'tool_use' },
  ])
})

test('Claude Code goes on after another vendor’s turn without its thoughts', () => {
  const foreign: Part = { type: 'reasoning', sections: ['Hm.'], form: 'summary' }
  const turns: Turn[] = [user, { role: 'assistant', parts: [foreign, call] }, result]
  const own = (mode: 'on' | 'adaptive'): ExchangeRequest => ({
    ...chatRequest({ turns, tools, maxOutput: 5000 }),
    origin: 'messages',
    reasoning: { mode, ...(mode === 'on' ? { budget: 2000 } : {}) },
    native: {
      origin: 'messages',
      fields: { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } },
    },
  })
  const older = encodeFor(budget, own('on')).body
  expect(older.thinking).toEqual({ type: 'disabled' })
  expect(older).not.toHaveProperty('context_management')
  const newer = encodeFor(adaptive, own('adaptive')).body
  expect(newer.thinking).toEqual({ type: 'adaptive' })
  expect(newer).toHaveProperty('context_management')
  expect(JSON.stringify([older, newer])).not.toContain('Hm.')
})
