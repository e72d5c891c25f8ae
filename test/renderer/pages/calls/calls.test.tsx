// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord } from './call-records.ts'

const call = callRecord({ other: '{"unpriced":true}' })

const list = (items: unknown[]) => ({ page: 1, page_size: 30, total: items.length, items })

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

test('an event of an account is no failed call', async () => {
  const event = { ...call, type: 4, content: '"bob" signed in.', model_name: '', other: '' }
  renderConsole(createFakeGateway({ 'call.list': () => list([event]) }), '/calls')
  const row = (await screen.findByText('"bob" signed in.')).closest('tr') as HTMLElement
  expect(within(row).getByText('Account')).toBeTruthy()
  expect(within(row).queryByText('200')).toBeNull()
})

test('an unpriced call says so and never costs 0', async () => {
  const gateway = createFakeGateway({ 'call.list': () => list([call]) })
  renderConsole(gateway, '/calls')
  const row = (await screen.findByText('unpriced')).closest('tr') as HTMLElement
  expect(cellsOf(row)).toContain('12')
  expect(row.textContent).not.toContain('$0')
})

test('numbers that nobody knows are dashes', async () => {
  const unknown = { ...call, type: 5, status: 502, prompt_tokens: 0, completion_tokens: 0 }
  const other = '{"usage_unknown":true,"error_code":"upstream_error"}'
  const gateway = createFakeGateway({ 'call.list': () => list([{ ...unknown, other }]) })
  renderConsole(gateway, '/calls')
  const row = (await screen.findByText('502')).closest('tr') as HTMLElement
  const cells = cellsOf(row)
  expect(cells.filter((text) => text === '–')).toHaveLength(4)
  expect(cells).not.toContain('0')
})

test('a call that was counted in seconds shows no tokens, and its seconds in the details', async () => {
  const spoken = { ...call, prompt_tokens: 0, completion_tokens: 0 }
  const other = '{"cache_tokens":0,"reasoning_tokens":0,"seconds":36.7}'
  const gateway = createFakeGateway({ 'call.list': () => list([{ ...spoken, other }]) })
  const user = renderConsole(gateway, '/calls')
  const button = await screen.findByRole('button', { name: 'Details of call request-1' })
  expect(cellsOf(button.closest('tr') as HTMLElement)).not.toContain('0')
  await user.click(button)
  expect(screen.getByText('Audio seconds').nextSibling?.textContent).toBe('36.7')
})

test.each([
  [
    { action: 'made', tokens: 2106, ttl: 300 },
    { cache_storage_cost: 0.0001755 },
    'Created: 2,106 tokens for 5 min 0 s, storage ≈ $0.000176',
  ],
  [
    { action: 'made', tokens: 2106, ttl: 3600 },
    {},
    'Created: 2,106 tokens for 60 min 0 s, storage ≈ –',
  ],
  [{ action: 'used', tokens: 2106, ttl: 300 }, {}, 'Used: 2,106 tokens'],
  [{ action: 'none', why: 'too short' }, {}, 'None: too short'],
])(
  'an explicit cache is told with its storage cost, and a dash where that is not known',
  async (cache, cost, text) => {
    const other = JSON.stringify({ explicit_cache: cache, ...cost })
    const gateway = createFakeGateway({ 'call.list': () => list([{ ...call, other }]) })
    const user = renderConsole(gateway, '/calls')
    await user.click(await screen.findByRole('button', { name: 'Details of call request-1' }))
    expect(screen.getByText('Explicit cache').nextSibling?.textContent).toBe(text)
  },
)

test('a row opens to its details and its request id', async () => {
  const other = '{"admin_info":{"use_channel":["2","1"]},"request_path":"/v1/messages"}'
  const gateway = createFakeGateway({ 'call.list': () => list([{ ...call, other }]) })
  const user = renderConsole(gateway, '/calls')
  await user.click(await screen.findByRole('button', { name: 'Details of call request-1' }))
  expect(screen.getByText('#2 → #1')).toBeTruthy()
  expect(screen.getByText('/v1/messages')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy Request ID request-1' })).toBeTruthy()
})

test('new calls appear without a reload', async () => {
  const gateway = createFakeGateway()
  renderConsole(gateway, '/calls')
  expect(await screen.findByText('No calls yet')).toBeTruthy()
  gateway.answer('call.list', () => list([call]))
  gateway.push('calls')
  expect(await screen.findByText('laptop')).toBeTruthy()
})

test('filters are asked of the gateway and start at its first page', async () => {
  const gateway = createFakeGateway({ 'call.list': () => ({ ...list([call]), total: 90 }) })
  const user = renderConsole(gateway, '/calls')
  await user.click(await screen.findByRole('button', { name: 'Next page' }))
  await user.type(screen.getByLabelText('Model, % as wildcard'), 'claude%')
  await waitFor(() =>
    expect(gateway.calls.at(-1)?.input).toEqual({ model_name: 'claude%', p: 1, page_size: 30 }),
  )
})

test('an address that names a call shows that one alone, with its details', async () => {
  const failed = callRecord({ type: 5, status: 502, request_id: 'req-7', content: 'It broke.' })
  const asked: unknown[] = []
  const gateway = createFakeGateway({
    'call.list': (input) => {
      asked.push((input as { request_id?: string }).request_id)
      return list([failed])
    },
  })
  renderConsole(gateway, '/calls?open=req-7')
  const button = await screen.findByRole('button', { name: /req-7/, expanded: true })
  expect(button).toBeTruthy()
  expect(new Set(asked)).toEqual(new Set(['req-7']))
})
