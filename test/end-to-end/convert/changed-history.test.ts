import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formats, question, type Stage, startStage } from '../../support/strict/loops/stage.ts'
import type { Json } from '../../support/strict/requests/refusal.ts'

// A model that refuses a thought of its own once anything before it has changed, which agents do all the time.
const model = 'claude-opus-5-5'
const BETA = 'thinking-binding-controls-2026-08-01'

let stage: Stage
/** What the last answer's header says was lost. */
let lossTold: string | null

beforeAll(async () => {
  stage = await startStage()
})
beforeEach(() => {
  for (const format of formats) stage.upstreams[format].refusals.length = 0
  stage.upstreams.messages.issued.dropped.length = 0
})
afterAll(() => stage.close())

async function send(path: string, body: Json): Promise<Json> {
  const response = await fetch(stage.gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.gateway.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model, ...body }),
  })
  expect(stage.upstreams.messages.refusals).toEqual([])
  expect(response.status).toBe(200)
  lossTold = response.headers.get('x-switchyard-loss')
  return (await response.json()) as Json
}

const schema = { type: 'object', properties: {} }
const lastRequest = () => stage.upstreams.messages.requests.at(-1)

/** How many thoughts the vendor left out, and what the request said of that. */
const outcome = () => ({
  dropped: stage.upstreams.messages.issued.dropped,
  beta: lastRequest()?.headers['anthropic-beta'],
  thinking: (lastRequest()?.json() as Json | undefined)?.thinking,
})
const DROPS = { block_binding: { prefix_mismatch_behavior: 'drop_block' } }

test('Codex goes on behind instructions and tools that it has changed', async () => {
  const tools = ['list_files', 'write_note'].map((name) => ({
    ...{ type: 'function', name, parameters: schema, strict: false },
  }))
  const reasoning = { effort: 'high', summary: 'auto' }
  const include = ['reasoning.encrypted_content']
  const input: Json[] = [{ role: 'user', content: question }]
  const asked = { reasoning, include, store: false, tools }
  const first = await send('/v1/responses', { ...asked, instructions: 'Be brief.', input })
  expect(outcome()).toMatchObject({ dropped: [], beta: undefined })
  const output = first.output as Json[]
  const results = output.flatMap(({ type, call_id: id }) =>
    type === 'function_call'
      ? [{ type: 'function_call_output', call_id: id, output: 'a.txt' }]
      : [],
  )
  const later = [...input, ...output, ...results]
  await send('/v1/responses', { ...asked, instructions: 'Be brief.', input: later })
  expect(outcome()).toMatchObject({ dropped: [], beta: BETA, thinking: DROPS })
  expect(lossTold ?? '').not.toContain('input_transformations')
  await send('/v1/responses', {
    ...{ ...asked, instructions: 'Be thorough.', input: later },
    tools: [...tools, { ...tools[0], name: 'late_tool' }],
  })
  expect(outcome()).toMatchObject({ dropped: ['messages.1.content.0'], beta: BETA })
  expect(lossTold).toContain('dropped answer.input_transformations')
})

test('a Chat client that asks for no thoughts goes on behind an old turn that it has changed', async () => {
  const tools = [{ type: 'function', function: { name: 'list_files', parameters: schema } }]
  const say = (words: string) => [{ role: 'user', content: words }]
  const asked = { tools, reasoning_effort: 'high' }
  const first = await send('/v1/chat/completions', { ...asked, messages: say(question) })
  const [choice] = first.choices as { message: { tool_calls: { id: string }[] } }[]
  const results = choice?.message.tool_calls.map(({ id }) => ({
    ...{ role: 'tool', tool_call_id: id, content: 'a.txt' },
  }))
  const messages = [...say('Something else.'), choice?.message, ...(results ?? [])]
  await send('/v1/chat/completions', { tools, messages })
  expect(outcome()).toEqual({
    dropped: ['messages.1.content.0'],
    beta: BETA,
    thinking: { type: 'adaptive', ...DROPS },
  })
})

test('betas that the owner sends on are kept beside it', async () => {
  const { channels } = stage.gateway.parts
  const channel = channels.all().find(({ name }) => name === 'strict messages')
  if (!channel) throw new Error('There is no such channel.')
  const own = 'context-1m-2025-08-07'
  channels.update(channel.id, { headerOverride: { 'anthropic-beta': own } })
  const tools = [{ type: 'function', function: { name: 'list_files', parameters: schema } }]
  const user = { role: 'user', content: question }
  const asked = { tools, reasoning_effort: 'high' }
  const first = await send('/v1/chat/completions', { ...asked, messages: [user] })
  expect(outcome().beta).toBe(own)
  const [choice] = first.choices as { message: { tool_calls: { id: string }[] } }[]
  const results = choice?.message.tool_calls.map(({ id }) => ({
    ...{ role: 'tool', tool_call_id: id, content: 'a.txt' },
  }))
  await send('/v1/chat/completions', {
    ...asked,
    messages: [user, choice?.message, ...(results ?? [])],
  })
  expect(outcome().beta).toBe(`${own},${BETA}`)
})
