import { expect, test } from 'vitest'
import { claudeCodeHeaders } from '../../../support/agent-requests/claude-code.ts'
import { logRow } from '../calls/log-rows.ts'
import { startSessionStage } from './session-stage.ts'

const MODEL = 'claude-opus-5'
const SESSION = 'claude-code:0b6f1c0e-6a5b-4df8-9c55-6a0f5f0a4f11'
const LONG = 'Take care of the files, and keep to the style of the project. '.repeat(200)
const mark = { cache_control: { type: 'ephemeral' } }

const tool = (name: string, description = `The tool ${name}.`) => ({
  ...{ name, description },
  input_schema: { type: 'object', properties: {} },
})

const frame = {
  ...{ model: MODEL, max_tokens: 100 },
  tools: [tool('Read'), tool('Write'), tool('Search')],
}

const turns = (count: number) =>
  Array.from({ length: count * 2 - 1 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: [{ type: 'text', text: `Turn ${index}.`, ...(index === count * 2 - 2 ? mark : {}) }],
  }))

const system = (text: string) => [{ type: 'text', text: `${text}\n\n${LONG}`, ...mark }]

/** Makes a session of these bodies and gives its diagnosis. */
async function diagnose(bodies: readonly object[]) {
  const stage = await startSessionStage()
  stage.addChannel({ models: [MODEL, 'claude-haiku-4-5'] })
  for (const body of bodies) {
    await stage.call('/v1/messages', { ...frame, ...body }, claudeCodeHeaders)
  }
  return stage.doctor(SESSION)
}

test('a timestamp in the system prompt is found, with its place and what it cost', async () => {
  const at = (minute: number) => [
    { type: 'text', text: 'You are an agent.' },
    { type: 'text', text: `It is 2026-11-23T10:0${minute}:12Z.\n${LONG}`, ...mark },
  ]
  const diagnosis = await diagnose(
    [1, 2, 3].map((count) => ({ system: at(count), messages: turns(count) })),
  )
  expect(diagnosis.summary).toMatch(
    /^6\d % of input was re-sent uncached; the system prompt changes in every call at `system\[1\]\.text`: a timestamp\.$/,
  )
  expect(diagnosis.findings).toMatchObject([
    { cause: 'timestamp', path: 'system[1].text' },
    { cause: 'timestamp', path: 'system[1].text' },
  ])
  const [finding] = diagnosis.findings
  expect(finding.from).toContain('10:01:12Z')
  expect(finding.to).toContain('10:02:12Z')
  // At 5 $ a million tokens, in units of 1/500 000 $; written anew at 1.25 of it, in place of 0.1.
  expect(finding.quota).toBeGreaterThan(finding.missed_tokens * 2)
  expect(diagnosis.quota).toBe(
    diagnosis.findings.reduce((sum: number, one: { quota: number }) => sum + one.quota, 0),
  )
})

test('a session that only grows has nothing to complain of', async () => {
  const diagnosis = await diagnose(
    [1, 2, 3].map((count) => ({ system: system('Agent.'), messages: turns(count) })),
  )
  expect(diagnosis).toMatchObject({
    summary: 'Almost all cacheable input came from the cache.',
    causes: [],
    findings: [
      { cause: null, path: null },
      { cause: null, path: null },
    ],
  })
})

test('short prompts of which nothing was cached are not said to come from the cache', async () => {
  const { summary, causes } = await diagnose([
    { tools: [], messages: [{ role: 'user', content: 'Hi.' }] },
    { tools: [], messages: [{ role: 'user', content: 'Hello.' }] },
  ])
  expect(causes).toEqual([])
  expect(summary).toBe('Hardly any input was re-sent.')
})

const grown = { system: system('Agent.'), messages: turns(2) }
const first = { system: system('Agent.'), messages: turns(1) }

test.each<[string, object, string, string | null]>([
  [
    'tools in another order',
    { ...grown, tools: [...frame.tools].reverse() },
    'tool-order',
    'tools[0]',
  ],
  [
    'a tool that was added in front',
    { ...grown, tools: [tool('Plan'), ...frame.tools] },
    'tools-changed',
    'tools[0]',
  ],
  [
    'a tool with other words',
    { ...grown, tools: [tool('Read', 'Reads.'), ...frame.tools.slice(1)] },
    'tool-edited',
    'tools[0].description',
  ],
  [
    'another system prompt',
    { ...grown, system: system('Planner.') },
    'system-edited',
    'system[0].text',
  ],
  ['another model', { ...grown, model: 'claude-haiku-4-5' }, 'other-model', null],
])('%s is named', async (_name, body, cause, path) => {
  const { findings } = await diagnose([first, body])
  expect(findings).toMatchObject([{ cause, path }])
})

test('a setting that the cache depends on is named, with its values and how often it changed', async () => {
  const thinking = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens })
  const diagnosis = await diagnose([
    { ...first, thinking: thinking(2048) },
    { ...grown, thinking: thinking(4096) },
    { ...grown, messages: turns(3), thinking: thinking(4096), tool_choice: { type: 'any' } },
  ])
  expect(diagnosis.findings).toMatchObject([
    {
      cause: 'setting-changed',
      path: null,
      setting: {
        path: 'thinking',
        from: '{"type":"enabled","budget_tokens":2048}',
        to: '{"type":"enabled","budget_tokens":4096}',
      },
    },
    {
      cause: 'setting-changed',
      setting: { path: 'tool_choice', from: null, to: '{"type":"any"}' },
    },
  ])
  expect(diagnosis.causes).toMatchObject([
    { cause: 'setting-changed', path: 'tool_choice', calls: 1 },
    { cause: 'setting-changed', path: 'thinking', calls: 1 },
  ])
  expect(diagnosis.summary).toMatch(
    /^\d+ % of input was re-sent uncached; `tool_choice`, on which the cache depends, changes in 1 call\.$/,
  )
})

test('machine-specific text is named', async () => {
  const at = (branch: string) => system(`Working directory: /home/ada/${branch}`)
  const { findings } = await diagnose([
    { ...first, system: at('shop') },
    { ...grown, system: at('blog') },
  ])
  expect(findings).toMatchObject([{ cause: 'machine', path: 'system[0].text' }])
})

test('messages that were dropped, and one that was edited, are told apart', async () => {
  const long = (text: string) => [{ role: 'user', content: `${text} ${LONG}` }]
  const talk = [...long('One.'), { role: 'assistant', content: 'Yes.' }, ...long('Two.')]
  const dropped = await diagnose([{ messages: talk }, { messages: long('Two.') }])
  expect(dropped.findings).toMatchObject([
    { cause: 'messages-dropped', path: 'messages[0].content' },
  ])
  const edited = await diagnose([
    { messages: talk },
    { messages: [...long('Uno.'), ...talk.slice(1)] },
  ])
  expect(edited.findings).toMatchObject([{ cause: 'message-edited', path: 'messages[0].content' }])
})

test.each([
  [1000, 'too-short'],
  [1100, 'never-cached'],
])('prompts of %i tokens of a model that nobody knows: %s', async (promptTokens, cause) => {
  const stage = await startSessionStage()
  const fields = { model: 'home-made', promptTokens, other: { session: SESSION } }
  for (const id of ['r1', 'r2']) await stage.gateway.parts.ledger.record(logRow(id, fields))
  expect((await stage.doctor(SESSION)).findings).toMatchObject([{ cause }])
})
