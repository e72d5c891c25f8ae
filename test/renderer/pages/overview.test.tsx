import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, goodHealth } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'
import { callRecord } from './calls/call-records.ts'
import { channelHealth, channelRecord } from './channels/channel-records.ts'

const server = {
  ...{ url: 'http://127.0.0.1:4747', started_at: 1_700_000_000, paused_since: null },
}
const row = (label: string, fields: object = {}) => ({
  ...{ key: label, label, time: 1, calls: 4, errors: 0, unpriced: 0, quota: 250_000 },
  ...{ prompt_tokens: 9, completion_tokens: 9, cached_tokens: 0, ...fields },
})
const rowOf = (name: string) => screen.getByText(name).closest('tr')?.textContent

describe('is it well', () => {
  test('the address is at hand, with the first problem in words', async () => {
    const warnings = [
      { code: 'disk_low', message: 'Only 120 MiB are free.', since: null },
      { code: 'rows_lost', message: '3 rows are lost.', since: null },
    ]
    const gateway = createFakeGateway({
      'server.get': () => server,
      'diagnostics.health': () => ({ ...goodHealth, status: 'warning', warnings }),
    })
    renderConsole(gateway)
    const card = within(
      (await screen.findByText('Accepts calls')).parentElement?.parentElement as HTMLElement,
    )
    expect(card.getByRole('button', { name: /http:\/\/127\.0\.0\.1:4747$/ })).toBeTruthy()
    expect(await card.findByText(/Only 120 MiB are free/)).toBeTruthy()
    expect(card.getByRole('link', { name: 'and 1 more' })).toBeTruthy()
  })

  test('where something isn’t working, the words beside the red dot say so', async () => {
    const warnings = [{ code: 'state_failing', message: 'Nothing was saved.', since: null }]
    const gateway = createFakeGateway({
      'server.get': () => server,
      'diagnostics.health': () => ({ ...goodHealth, status: 'failing', warnings }),
    })
    renderConsole(gateway)
    const words = await screen.findByText('Something isn’t working')
    expect((words.previousElementSibling as HTMLElement).dataset.state).toBe('failing')
    expect(screen.queryByText('Accepts calls')).toBeNull()
  })

  test('nothing is called good before the health is known', async () => {
    const gateway = createFakeGateway({
      'server.get': () => server,
      'diagnostics.health': () => new Promise(() => {}),
    })
    renderConsole(gateway)
    const dot = (await screen.findByText('Accepts calls')).previousElementSibling as HTMLElement
    expect(dot.dataset.state).toBeUndefined()
  })

  test.each([
    ['warning', 'disk_low'],
    ['failing', 'ledger_failing'],
    ['warning', 'paused'],
  ])('of a gateway with status %s the warning %s is told once', async (status, code) => {
    const warnings = [{ code, message: 'Something is against it.', since: null }]
    const gateway = createFakeGateway({
      'server.get': () => ({ ...server, paused_since: code === 'paused' ? 1_700_000_000 : null }),
      'diagnostics.health': () => ({ ...goodHealth, status, warnings }),
    })
    renderConsole(gateway)
    await screen.findByText(code === 'paused' ? /^Paused since/ : /Something is against it/)
    expect(screen.queryAllByText(/Something is against it/)).toHaveLength(code === 'paused' ? 0 : 1)
    expect(screen.queryByText('No problems found.')).toBeNull()
  })

  test('of 201 channels the one with problems is there, wherever it stands in the list', async () => {
    const all = Array.from({ length: 201 }, (_, index) =>
      channelRecord({ id: index + 1, name: `Relay ${index}` }),
    )
    const gateway = createFakeGateway({
      'channel.list': ({ p, page_size: size }: { p: number; page_size: number }) => ({
        ...{ page: p, page_size: size, total: all.length },
        items: all.slice((p - 1) * size, p * size),
      }),
      'channel.health': () =>
        all.map(({ id }) =>
          channelHealth(
            id === 180
              ? { id, state: 'open', until: Date.now() + 30_000, reason: 'Overloaded.' }
              : { id },
          ),
        ),
    })
    renderConsole(gateway)
    const strip = within(await screen.findByRole('list', { name: 'Channels' }))
    expect(strip.getAllByRole('listitem')[0]?.textContent).toMatch(/^Relay 179/)
    expect(screen.getByRole('link', { name: '193 more' })).toBeTruthy()
  })

  test('a channel with problems comes before a busy one, each with its last minutes', async () => {
    const minutes = (calls: number, errors: number) => ({
      calls: Array.from({ length: 15 }, (_, index) => (index === 14 ? calls : 0)),
      errors: Array.from({ length: 15 }, (_, index) => (index === 14 ? errors : 0)),
    })
    const channels = ['Busy', 'Broken', 'Off'].map((name, index) =>
      channelRecord({ id: index + 1, name, status: name === 'Off' ? 2 : 1 }),
    )
    const gateway = createFakeGateway({
      'channel.list': () => ({ page: 1, page_size: 100, total: 3, items: channels }),
      'channel.health': () => [
        channelHealth({ id: 1 }),
        channelHealth({ id: 2, state: 'open', until: Date.now() + 30_000, reason: 'Overloaded.' }),
      ],
      'channel.recent': () => ({
        // It started within the third minute, of which it knows the rest.
        ...{ start: 1_700_000_000, step: 60, steps: 15, known_from: 1_700_000_130 },
        channels: [
          { id: 1, ...minutes(1200, 0) },
          { id: 2, ...minutes(3, 3) },
        ],
      }),
    })
    renderConsole(gateway)
    const strip = within(await screen.findByRole('list', { name: 'Channels' }))
    const [first, second, ...others] = strip.getAllByRole('listitem')
    expect(first?.textContent).toMatch(/^Broken3 calls, 3 failedcooling down/)
    expect(second?.textContent).toBe('Busy1,200 calls')
    expect(first?.querySelectorAll('[data-unknown]')).toHaveLength(2)
    expect(others).toEqual([])
    expect(screen.getByText('Last 15 minutes')).toBeTruthy()
    expect(screen.getByRole('link', { name: '1 more' })).toBeTruthy()
  })

  test('who is no administrator is not asked about channels', async () => {
    const self = { id: 3, username: 'bob', role: 1, has_password: true }
    const gateway = createFakeGateway({
      'user.self': () => self,
      'server.get': () => server,
      'usage.summary-self': () => ({ start: 0, end: 0, step: 'all', rows: [] }),
    })
    renderConsole(gateway)
    await screen.findByText('No calls today or yesterday.')
    const asked = new Set(gateway.calls.map(({ name }) => name))
    for (const name of ['channel.recent', 'channel.health', 'usage.summary', 'diagnostics.health'])
      expect(asked, name).not.toContain(name)
  })
})

test('calls under way come first, with neither a cost nor an end that nobody knows', async () => {
  const running = callRecord({
    ...{ kind: 'running', request_id: 'r1', model_name: 'slow', use_time_ms: 65_000, status: 0 },
  })
  const ended = callRecord({ request_id: 'r2', model_name: 'quick' })
  const gateway = createFakeGateway({
    'call.timeline': () => ({ rows: [running, ended], next: null, newest: 'x' }),
  })
  renderConsole(gateway)
  const table = within(await screen.findByRole('table', { name: 'Calls' }))
  const [, first, second] = table.getAllByRole('row')
  expect(first?.textContent).toMatch(/running.*slow.*1 min 5 s.*–$/)
  expect(second?.textContent).toContain('quick')
  expect(screen.getByText('1 running, then the latest')).toBeTruthy()
  // Refused requests have a list of their own: a stranger's would push the calls out of this one.
  const asked = gateway.calls.find(({ name }) => name === 'call.timeline')
  expect(asked?.input).toMatchObject({ q: '-refused:yes' })
})

describe('what did today cost', () => {
  const gatewayOf = (today: object[], yesterday: object[]) =>
    createFakeGateway({
      'usage.summary': (input) => ({
        ...{ start: 0, end: 0, step: 'all' },
        rows: (input as { end_timestamp?: number }).end_timestamp ? yesterday : today,
      }),
    })

  test('each tool is beside its yesterday, and the sum has them all', async () => {
    const gateway = gatewayOf(
      [row('claude-code'), row('codex', { quota: 500_000, unpriced: 1 })],
      [row('codex', { quota: 50_000 })],
    )
    renderConsole(gateway)
    await screen.findByText('codex')
    expect(rowOf('codex')).toBe('codex4$1.00+ 1 unpriced call$0.10')
    expect(rowOf('claude-code')).toBe('claude-code4$0.50–')
    expect(rowOf('Total')).toBe('Total8$1.50+ 1 unpriced call$0.10')
    expect(screen.getByText('Today so far and all of yesterday')).toBeTruthy()
    // A call of the first second of today is none of yesterday.
    type Range = { start_timestamp: number; end_timestamp?: number }
    const ranges = gateway.calls
      .filter(({ name }) => name === 'usage.summary')
      .map(({ input }) => input as Range)
    const today = ranges.find(({ end_timestamp: end }) => end === undefined)
    const yesterday = ranges.find(({ end_timestamp: end }) => end !== undefined)
    expect(yesterday?.end_timestamp).toBe((today?.start_timestamp ?? 0) - 1)
  })

  test('a tool that was used yesterday alone has its row', async () => {
    renderConsole(gatewayOf([row('codex')], [row('cursor', { quota: 50_000 })]))
    await screen.findByText('cursor')
    expect(rowOf('cursor')).toBe('cursor0–$0.10')
  })

  test('without any price it is not shown as $0', async () => {
    renderConsole(gatewayOf([row('local', { quota: 0, unpriced: 4 })], []))
    await screen.findByText('local')
    expect(rowOf('local')).toBe('local4unpriced–')
    expect(document.body.textContent).not.toContain('$0')
  })
})
