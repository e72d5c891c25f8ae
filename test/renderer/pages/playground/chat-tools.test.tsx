import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { bodyOf, bookedCall, open, say, send, type } from './chat-stage.ts'
import { chunk, end, events, text } from './streamed-reply.ts'

const known = {
  ...{ format: 'chat', temperature: 2, top_p: true, top_k: false, max_tokens: null, stop: 4 },
  ...{ seed: true, penalties: true, efforts: ['low', 'high'], structured_output: true },
  ...{ budget: { least: 1024, most: 32_000 }, verbosity: true, forced_tool: true },
}

const page = (fields: object = {}) =>
  createFakeGateway({ 'playground.parameters': () => ({ ...known, ...fields }) })

const panel = () => within(screen.getByRole('complementary', { name: 'Parameters' }))

async function addTool(user: UserEvent, name: string) {
  await user.click(panel().getByRole('button', { name: 'Add tool' }))
  const tool = within(panel().getByRole('group', { name: 'Tool 1' }))
  await user.click(tool.getByLabelText('Name'))
  await user.paste(name)
}

async function choose(user: UserEvent, label: string, option: string | RegExp) {
  await user.click(await panel().findByRole('combobox', { name: label }))
  await user.click(await screen.findByRole('option', { name: option }))
}

/** A call of the tool, in pieces. */
const called = [
  chunk({
    choices: [
      { delta: { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather' } }] } },
    ],
  }),
  chunk({
    choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] } }],
  }),
  chunk({
    choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] } }],
  }),
]

const callAndResult = (content: string) => [
  { role: 'user', content: 'Weather?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Rome"}' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content },
]

describe('tools', () => {
  test.each([
    ['reasoning_content', { reasoning_content: 'Rome it is.' }],
    // Groq refuses a field that it doesn't know.
    ['reasoning', {}],
  ])(
    'get the thought that came in %s back with their results as their model wants it',
    async (field, back) => {
      const gateway = page()
      const user = await open(gateway)
      await addTool(user, 'weather')
      await type(user, 'Weather?')
      const thought = chunk({ choices: [{ delta: { [field]: 'Rome it is.' } }] })
      await send(gateway, 0, events, thought, ...called, ...end)
      await user.click(screen.getByLabelText('Result'))
      await user.paste('Sunny')
      await user.click(screen.getByRole('button', { name: 'Send results' }))
      await waitFor(() => expect(gateway.streams).toHaveLength(2))
      const [said, reply, result] = callAndResult('Sunny')
      expect(bodyOf(gateway, 1).messages).toEqual([said, { ...reply, ...back }, result])
    },
  )

  test('get it back also where the reply that called them was edited', async () => {
    const gateway = page()
    const user = await open(gateway)
    await addTool(user, 'weather')
    await type(user, 'Weather?')
    const thought = chunk({ choices: [{ delta: { reasoning_content: 'Rome it is.' } }] })
    await send(gateway, 0, events, thought, text('I look.'), ...called, ...end)
    await user.click(screen.getByRole('button', { name: 'Edit reply' }))
    await user.type(screen.getByRole('textbox', { name: 'Edit reply' }), ' Now.')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(screen.getByLabelText('Result'))
    await user.paste('Sunny')
    await user.click(screen.getByRole('button', { name: 'Send results' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(bodyOf(gateway, 1).messages).toMatchObject([
      {},
      { content: 'I look. Now.', reasoning_content: 'Rome it is.' },
      { content: 'Sunny' },
    ])
  })

  test('are answered by hand, and the conversation goes on with the result', async () => {
    const gateway = page()
    const user = await open(gateway)
    await addTool(user, 'weather')
    await type(user, 'Weather?')
    await send(gateway, 0, events, ...called, ...end)
    expect(bodyOf(gateway, 0).tools).toMatchObject([
      { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
    ])
    expect(bodyOf(gateway, 0).tool_choice).toBeUndefined()
    const call = within(screen.getByRole('region', { name: 'weather' }))
    expect(call.getByText(/"city": "Rome"/)).toBeTruthy()
    const answer = screen.getByRole<HTMLButtonElement>('button', { name: 'Send results' })
    expect(answer.disabled).toBe(true)
    await user.click(call.getByLabelText('Result'))
    await user.paste('Sunny')
    await user.click(answer)
    await send(gateway, 1, events, text('It is sunny.'), ...end)
    expect(bodyOf(gateway, 1).messages).toEqual(callAndResult('Sunny'))
    expect(screen.getByText('It is sunny.')).toBeTruthy()
  })

  test('with a fixed value are answered at once', async () => {
    const gateway = page()
    const user = await open(gateway)
    await addTool(user, 'weather')
    await user.click(panel().getByRole('radio', { name: 'Fixed value' }))
    await user.click(panel().getByLabelText('Fixed result'))
    await user.paste('Rain')
    await type(user, 'Weather?')
    await send(gateway, 0, events, ...called, ...end)
    await send(gateway, 1, events, text('It rains.'), ...end)
    expect(bodyOf(gateway, 1).messages).toEqual(callAndResult('Rain'))
  })

  test('with a fixed value are answered eight times in a row, and not for ever', async () => {
    const gateway = page()
    const user = await open(gateway)
    await addTool(user, 'weather')
    await user.click(panel().getByRole('radio', { name: 'Fixed value' }))
    await type(user, 'Weather?')
    for (let round = 0; round < 8; round++) await send(gateway, round, events, ...called, ...end)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(gateway.streams).toHaveLength(8)
  })

  test('one can be made the only choice, and none is forced where the model can’t', async () => {
    const gateway = page()
    const user = await open(gateway)
    await addTool(user, 'weather')
    await choose(user, 'Tool choice', 'Only weather')
    await type(user, 'Weather?')
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    const choice = { type: 'function', function: { name: 'weather' } }
    expect(bodyOf(gateway, 0).tool_choice).toEqual(choice)
  })

  test('a model that can’t be made to call a tool isn’t offered to', async () => {
    const user = await open(page({ forced_tool: false }))
    await addTool(user, 'weather')
    await user.click(panel().getByRole('combobox', { name: 'Tool choice' }))
    await screen.findByRole('option', { name: /^auto/ })
    expect(screen.queryByRole('option', { name: /^required/ })).toBeNull()
    expect(screen.queryByRole('option', { name: 'Only weather' })).toBeNull()
  })
})

describe('parameters', () => {
  test('a schema makes the answer JSON of that shape', async () => {
    const gateway = page()
    const user = await open(gateway)
    await user.click(panel().getByLabelText('JSON schema of the answer'))
    await user.paste('{"type":"object"}')
    await type(user, 'Hello')
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(bodyOf(gateway, 0).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
    })
  })

  test('a model that takes no schema has no field for one', async () => {
    await open(page({ structured_output: false, budget: null, verbosity: false }))
    await panel().findByRole('combobox', { name: 'Reasoning effort' })
    expect(panel().queryByLabelText('JSON schema of the answer')).toBeNull()
    expect(panel().queryByLabelText('Thinking budget')).toBeNull()
    expect(panel().queryByRole('combobox', { name: 'Verbosity' })).toBeNull()
  })

  test('effort, verbosity and budget are sent, and the thoughts stand above the reply', async () => {
    const gateway = page()
    const user = await open(gateway)
    await choose(user, 'Reasoning effort', 'high')
    await choose(user, 'Verbosity', 'low')
    await user.type(panel().getByLabelText('Thinking budget'), '2048')
    await type(user, 'Hello')
    await send(gateway, 0, events, chunk({ choices: [{ delta: { reasoning_content: 'Hm, a' } }] }))
    expect(bodyOf(gateway, 0)).toMatchObject({
      ...{ reasoning_effort: 'high', verbosity: 'low' },
      thinking: { type: 'enabled', budget_tokens: 2048 },
    })
    const thoughts = () => screen.getByText('Thinking').closest('details')
    expect(thoughts()?.open).toBe(true)
    await send(gateway, 0, chunk({ choices: [{ delta: { reasoning_content: ' greeting' } }] }))
    await send(gateway, 0, text('Hi!'), ...end)
    expect(thoughts()?.open).toBe(false)
    expect(screen.getByText('Hm, a greeting')).toBeTruthy()
  })
})

describe('Copy as', () => {
  test('stands at every reply whose call was captured, also for common users', async () => {
    const gateway = createFakeGateway({
      'user.self': () => ({ id: 2, username: 'eve', role: 1, has_password: true }),
      'call.one': ({ request_id }: { request_id: string }) => ({ ...bookedCall, request_id }),
      'capture.export': ({ as }: { as: string }) => ({
        ...{ name: 'call.sh', media_type: 'text/plain', text: `as ${as}` },
      }),
    })
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await type(user, 'Two')
    const second = { ...events, headers: { ...headersOf(events), 'x-switchyard-call': 'req-2' } }
    await send(gateway, 1, second, text('Second'), ...end)
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Copy as' })).toHaveLength(2))
    const [first] = screen.getAllByRole('button', { name: 'Copy as' })
    await user.click(first as HTMLElement)
    await user.click(await screen.findByRole('menuitem', { name: 'cURL (bash)' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('as curl'))
    const asked = gateway.calls.find(({ name }) => name === 'capture.export')
    expect(asked?.input).toMatchObject({ request_id: 'req-1' })
  })
})

const headersOf = (event: typeof events) => (event.type === 'start' ? event.headers : {})
