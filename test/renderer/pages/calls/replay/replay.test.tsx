import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, refuse } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'
import { callRecord, listOf } from '../call-records.ts'

const body = '{\n  "model": "echo",\n  "messages": []\n}'
const draft = {
  ...{ format: 'chat', path: '/v1/chat/completions', model: 'echo', stream: true, body },
  headers: [['anthropic-beta', 'tools']],
}

const row = (id: string, fields: object = {}) => ({
  ...callRecord({ request_id: id, other: '{"frt":200}' }),
  ...{ kind: 'call', has_capture: true },
  ...fields,
})

const answers = (overrides: Parameters<typeof createFakeGateway>[0] = {}) =>
  createFakeGateway({
    'replay.draft': () => draft,
    'capture.reading': ({ request_id: id }: { request_id: string }) => ({
      input: [],
      output: [
        { role: 'assistant', kind: 'text', text: id === 'call-1' ? 'A red fox' : 'A blue fox' },
        { role: 'assistant', kind: 'tool-call', name: 'look', text: '{"at":1}' },
      ],
      problem: null,
    }),
    'call.one': ({ request_id: id }: { request_id: string }) => row(id),
    ...overrides,
  })

const open = async (gateway: FakeGateway, path = '/calls/replay/call-1') => {
  const user = renderConsole(gateway, path)
  const column = await screen.findByRole('region', { name: 'Replay 1' })
  return { user, column }
}

const bodyOf = (column: HTMLElement) =>
  within(column).getByLabelText('Request body (JSON)') as HTMLTextAreaElement

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

const chunk = (text: string) => ({
  type: 'chunk' as const,
  bytes: new TextEncoder().encode(
    `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`,
  ),
})

const start = (id: string) => ({
  ...{ type: 'start' as const, status: 200 },
  headers: { 'content-type': 'text/event-stream', 'x-switchyard-replay': id },
})

test('an estimated original does not say how much was read from the cache, which nobody counted', async () => {
  const other = '{"estimated":true,"cache_tokens":0}'
  await open(answers({ 'call.one': () => row('call-1', { other }) }))
  const original = screen.getByRole('region', { name: 'Original' })
  const figure = (term: string) => within(original).getByText(term).nextSibling?.textContent
  await waitFor(() => expect(figure('Input')).toBe('≈ 12'))
  expect(figure('Cache read')).toBe('–')
})

describe('a replay', () => {
  test('sent as it was names nothing but the capture; its answer is compared', async () => {
    const gateway = answers()
    const { user, column } = await open(gateway)
    await user.click(within(column).getByRole('button', { name: 'Send' }))
    const [stream] = gateway.streams
    expect(stream).toMatchObject({ name: 'replay.send', input: { capture: 'call-1' } })
    expect(Object.keys(stream?.input as object)).toEqual(['capture'])
    stream?.send(start('call-2'))
    stream?.send(chunk('A blue'))
    await within(column).findByText('A blue')
    stream?.send(chunk(' fox'))
    stream?.send({ type: 'end' })
    await waitFor(() => expect(column.querySelector('ins')?.textContent).toBe('blue'))
    expect(column.querySelector('del')?.textContent).toBe('red')
    expect(within(column).getByText('same')).toBeTruthy()
    expect(within(column).getByText('Time to first token').nextSibling?.textContent).toBe('200 ms')
    expect(within(column).getByRole('link', { name: 'Open call' }).getAttribute('href')).toContain(
      '/calls?open=call-2',
    )
  })

  test('its edits outlive the page, and are asked about when the console is left', async () => {
    const { user, column } = await open(answers(), '/calls/replay/call-9')
    const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(closes()).toBe(true)
    type(bodyOf(column), '{"model":"other"}')
    await user.click(screen.getByRole('link', { name: 'Redeem' }))
    await screen.findByRole('heading', { name: 'Redeem' })
    expect(closes()).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Sign out' }))
    await user.click(await screen.findByRole('button', { name: 'Stay' }))
    window.history.back()
    const again = await screen.findByRole('region', { name: 'Replay 1' })
    expect(bodyOf(again).value).toBe('{"model":"other"}')
    await user.click(within(again).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(closes()).toBe(true))
  })

  test('names only what was changed, of channels that are on and their own models', async () => {
    const gateway = answers({
      'channel.list': () => ({
        ...{ page: 1, page_size: 100, total: 2 },
        items: [
          { id: 7, name: 'B', status: 1, models: 'x-1,x-2' },
          { id: 8, name: 'Off', status: 2, models: 'x-3' },
        ],
      }),
    })
    const { user, column } = await open(gateway)
    await user.click(within(column).getByRole('combobox', { name: 'Channel' }))
    const off = await screen.findByRole('option', { name: 'Off' })
    expect(off.getAttribute('data-combobox-disabled')).toBe('true')
    await user.click(screen.getByRole('option', { name: 'B' }))
    await user.click(within(column).getByRole('combobox', { name: 'Model' }))
    const offered = await screen.findAllByRole('option')
    expect(offered.map(({ textContent }) => textContent)).toEqual(['x-1', 'x-2'])
    await user.type(within(column).getByRole('combobox', { name: 'Model' }), 'x-2')
    await user.click(within(column).getByRole('switch', { name: 'Stream' }))
    type(bodyOf(column), '{"messages":[1]}')
    await user.click(within(column).getByRole('button', { name: 'Send' }))
    expect(gateway.streams[0]?.input).toEqual({
      ...{ capture: 'call-1', channel: 7, model: 'x-2', stream: false },
      body: '{"messages":[1]}',
    })
  })

  test('of broken JSON can’t be sent, and the line is named', async () => {
    const { user, column } = await open(answers())
    type(bodyOf(column), '{\n  "model": "echo",\n}')
    await within(column).findByText('Line 3, column 1: “}” is not valid here.')
    expect(within(column).getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
    await user.click(within(column).getByRole('button', { name: 'Go to line 3' }))
    expect(document.activeElement).toBe(bodyOf(column))
    await user.click(within(column).getByRole('button', { name: 'Restore original' }))
    expect(bodyOf(column).value).toBe(body)
  })

  test('shows while it is edited what the endpoint would refuse, until it is mended', async () => {
    const problem = { message: 'messages[0]: must be an object.', field: 'messages[0]' }
    const gateway = answers({
      'replay.check': (({ body: text }: { body: string }) => ({
        problem: text.includes('[7]') ? problem : null,
      })) as never,
    })
    const { column } = await open(gateway)
    type(bodyOf(column), '{\n  "model": "echo",\n  "messages": [7]\n}')
    await within(column).findByText('Line 3, column 16: messages[0]: must be an object.')
    type(bodyOf(column), '{\n  "model": "echo",\n  "messages": [{}]\n}')
    await waitFor(() => expect(within(column).queryByText(/must be an object/)).toBeNull())
    expect(gateway.streams).toEqual([])
    expect(gateway.calls.filter(({ name }) => name === 'replay.check')).toHaveLength(2)
  })

  test('that is refused keeps what was typed, and shows the field at its line', async () => {
    const gateway = answers()
    const { user, column } = await open(gateway)
    const typed = '{\n  "model": "echo",\n  "messages": [7]\n}'
    type(bodyOf(column), typed)
    await user.click(within(column).getByRole('button', { name: 'Send' }))
    const [stream] = gateway.streams
    stream?.send({ type: 'start', status: 400, headers: { 'content-type': 'application/json' } })
    const error = { message: 'messages[0]: must be an object.', param: 'messages[0]' }
    stream?.send({
      type: 'chunk',
      bytes: new TextEncoder().encode(JSON.stringify({ error })),
    })
    stream?.send({ type: 'end' })
    await within(column).findByText('Line 3, column 16: messages[0]: must be an object.')
    expect(within(column).getByText('Not sent')).toBeTruthy()
    expect(bodyOf(column).value).toBe(typed)
    expect(within(column).queryByText('Time to first token')).toBeNull()
  })

  test('under way says so, and Cancel ends it', async () => {
    const gateway = answers()
    const { user, column } = await open(gateway)
    await user.click(within(column).getByRole('button', { name: 'Send' }))
    await within(column).findByText('Waiting for the answer…')
    await user.click(within(column).getByRole('button', { name: 'Cancel' }))
    expect(gateway.streams[0]?.cancelled).toBe(true)
    await within(column).findByText(/^Cancelled\./)
  })

  test('whose call is not booked yet shows its figures once it is', async () => {
    const running = { kind: 'running', status: 0, prompt_tokens: 0, completion_tokens: 0 }
    let isBooked = false
    const gateway = answers({
      'call.one': ({ request_id: id }: { request_id: string }) =>
        row(id, id === 'call-1' || isBooked ? {} : { ...running, other: '' }),
    })
    const { user, column } = await open(gateway)
    await user.click(within(column).getByRole('button', { name: 'Send' }))
    gateway.streams[0]?.send(start('call-2'))
    gateway.streams[0]?.send({ type: 'end' })
    const figure = (term: string) => within(column).getByText(term).nextSibling?.textContent
    const reads = () =>
      gateway.calls.filter(
        ({ name, input }) =>
          name === 'call.one' && Reflect.get(Object(input), 'request_id') === 'call-2',
      ).length
    await waitFor(() => expect(reads()).toBeGreaterThan(0))
    expect([figure('Input'), figure('Output')]).toEqual(['–', '–'])
    isBooked = true
    await waitFor(() => expect([figure('Input'), figure('Output')]).toEqual(['12', '34']))
  })

  test('shows dashes for figures that nobody knows', async () => {
    const gateway = answers({
      'call.one': ({ request_id: id }: { request_id: string }) =>
        row(id, { type: 5, other: '{"usage_unknown":true}', prompt_tokens: 0 }),
    })
    await open(gateway)
    const original = screen.getByRole('region', { name: 'Original' })
    await waitFor(() => expect(within(original).getByText('1.24 s')).toBeTruthy())
    for (const term of ['Time to first token', 'Output rate', 'Input', 'Output', 'Cost']) {
      expect(within(original).getByText(term).nextSibling?.textContent, term).toBe('–')
    }
  })
})

test('up to four stand side by side; Send all sends each, and Cancel all ends them', async () => {
  const gateway = answers()
  const { user, column } = await open(gateway)
  type(bodyOf(column), '{"messages":[{}]}')
  const add = screen.getByRole('button', { name: 'Add replay' })
  for (let count = 1; count < 4; count++) await user.click(add)
  expect(add).toHaveProperty('disabled', true)
  const last = screen.getByRole('region', { name: 'Replay 4' })
  expect(bodyOf(last).value).toBe('{"messages":[{}]}')
  await user.click(screen.getByRole('button', { name: 'Send all 4' }))
  expect(gateway.streams).toHaveLength(4)
  await user.click(screen.getByRole('button', { name: 'Cancel all' }))
  expect(gateway.streams.every(({ cancelled }) => cancelled)).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Remove replay 2' }))
  expect(screen.queryByRole('region', { name: 'Replay 4' })).toBeNull()
})

test('Ctrl+Enter in the body sends', async () => {
  const gateway = answers()
  const { user, column } = await open(gateway)
  bodyOf(column).focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(gateway.streams).toHaveLength(1)
})

test('what was typed is there again after a visit to another page', async () => {
  const gateway = answers()
  const { user, column } = await open(gateway)
  type(bodyOf(column), '{"messages":[{"typed":1}]}')
  await user.click(screen.getByRole('link', { name: 'Original call' }))
  await screen.findByRole('heading', { name: 'Calls', level: 1 })
  window.history.back()
  const again = await screen.findByRole('region', { name: 'Replay 1' })
  expect(bodyOf(again).value).toBe('{"messages":[{"typed":1}]}')
})

test('a capture that is gone says so in the gateway’s words', async () => {
  const gateway = answers({
    'replay.draft': () => refuse('There is no capture of this call.', 'capture', 404),
  })
  renderConsole(gateway, '/calls/replay/call-1')
  await screen.findByText('There is no capture of this call.')
})

test('R in a call’s details opens its replay, but not while something is typed', async () => {
  const gateway = answers({ 'call.timeline': listOf(row('call-1')) })
  const user = renderConsole(gateway, '/calls?open=call-1')
  await screen.findByRole('link', { name: /^Replay/ })
  await user.click(screen.getByRole('combobox', { name: 'Filter calls' }))
  await user.keyboard('r')
  expect(screen.queryByRole('region', { name: 'Replay 1' })).toBeNull()
  ;(document.activeElement as HTMLElement).blur()
  await user.keyboard('r')
  await screen.findByRole('region', { name: 'Replay 1' })
})

describe('failures', () => {
  const failed = (index: number, reason: string | null = null) => ({
    ...{ request_id: `f-${index}`, created_at: 1_795_000_000 + index, model: 'echo' },
    ...{ channel_name: 'A', status: 500, error_code: 'upstream_error', message: `Broke ${index}` },
    ...{ reason, message_reason: null, reason_coded: null },
  })
  const list = [...Array.from({ length: 6 }, (_, index) => failed(index)), failed(9, 'It was cut.')]

  test('run four at a time, each row with what came of it; Cancel stops the rest', async () => {
    const gateway = answers({ 'replay.failures': () => ({ failures: list }) })
    const user = renderConsole(gateway, '/calls/replay')
    await screen.findByText('It was cut.')
    await user.click(await screen.findByRole('button', { name: 'Replay 6 calls' }))
    expect(gateway.streams.map(({ input }) => (input as { capture: string }).capture)).toEqual([
      ...['f-0', 'f-1', 'f-2', 'f-3'],
    ])
    gateway.streams[0]?.send(start('again-0'))
    gateway.streams[0]?.send({ type: 'end' })
    await waitFor(() => expect(gateway.streams).toHaveLength(5))
    await screen.findByText('Replaying: 1 of 6 done')
    const first = screen.getByText('Broke 0').closest('tr') as HTMLElement
    await within(first).findByText('200 ms')
    expect(within(first).getByText('answered')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(gateway.streams.map(({ cancelled }) => cancelled)).toEqual([
      ...[false, true, true, true, true],
    ])
    expect(screen.getAllByText('Cancelled')).toHaveLength(5)
    expect(screen.getByRole('button', { name: 'Replay 6 calls' })).toBeTruthy()
  })

  test('none says what would be here', async () => {
    renderConsole(answers({ 'replay.failures': () => ({ failures: [] }) }), '/calls/replay')
    await screen.findByText('No failed calls')
  })
})
