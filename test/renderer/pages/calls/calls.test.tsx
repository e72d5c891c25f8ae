import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFakeGateway, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, listOf, rowOf } from './call-records.ts'

// Wide enough for the panel beside the list.
beforeEach(() => Reflect.get(window, 'happyDOM').setViewport({ width: 1400, height: 900 }))

afterEach(() => vi.restoreAllMocks())

const call = callRecord({ other: '{"unpriced":true}' })

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

const valueAt = (term: string) => screen.getByText(term).nextSibling?.textContent

const search = () => new URLSearchParams(location.search)

const headOf = (row: HTMLElement) =>
  [...(row.closest('table')?.querySelectorAll('th') ?? [])].map(({ textContent }) => textContent)

describe('where the gateway is shared', () => {
  const answers = {
    ...shared,
    'call.timeline': listOf(callRecord({ username: 'bob', channel_name: '' })),
  }

  test('an administrator reads whose call it was', async () => {
    const gateway = createFakeGateway(answers)
    renderConsole(gateway, '/calls?open=request-1')
    expect(headOf(await rowOf('laptop'))).toContain('Channel')
    await screen.findByRole('tab', { name: 'Route' })
    expect(valueAt('User')).toBe('bob')
  })

  test('a user sees no column or fact that only administrators learn', async () => {
    const self = { id: 3, username: 'bob', role: 1, quota: 500_000 }
    const gateway = createFakeGateway({ ...answers, 'user.self': () => self })
    renderConsole(gateway, '/calls?open=request-1&tab=route')
    expect(headOf(await rowOf('laptop'))).toEqual(expect.arrayContaining(['Model', 'Token']))
    await screen.findByText('Upstream model')
    for (const term of ['Channel', 'Channels tried', 'User'])
      expect(screen.queryByText(term), term).toBeNull()
  })
})

describe('a row', () => {
  test('without a price says so and never costs 0', async () => {
    renderConsole(createFakeGateway({ 'call.timeline': listOf(call) }), '/calls')
    const row = await rowOf('unpriced')
    expect(cellsOf(row)).toContain('12')
    expect(row.textContent).not.toContain('$0')
  })

  test('has dashes for numbers that nobody knows', async () => {
    const other = '{"usage_unknown":true,"error_code":"upstream_error"}'
    const failed = { type: 5, status: 502, prompt_tokens: 0, completion_tokens: 0, other }
    renderConsole(createFakeGateway({ 'call.timeline': listOf(callRecord(failed)) }), '/calls')
    const cells = cellsOf(await rowOf('502'))
    expect(cells.filter((text) => text === '–')).toHaveLength(4)
    expect(cells).not.toContain('0')
  })

  test('tells in badges what was unusual, and a cut stream from a plain 200', async () => {
    const other = JSON.stringify({
      ...{ error_code: 'upstream_cut', estimated: true, frt: 300, cache_tokens: 6 },
      ...{ replay_of: 'request-0', loss: [{ path: 'a' }, { path: 'b' }] },
      asked_model: 'claude-via-gpt-5',
      admin_info: { use_channel: ['1', '2', '3'] },
    })
    renderConsole(createFakeGateway({ 'call.timeline': listOf(callRecord({ other })) }), '/calls')
    const row = await rowOf('200')
    for (const name of [
      'The stream was cut before its end.',
      '2 failovers',
      '2 conversion losses',
      'Estimated usage',
      '6 input tokens read from the cache',
      'Requested as claude-via-gpt-5',
      'Replay of request-0',
    ])
      expect(within(row).getByRole('img', { name }), name).toBeTruthy()
    for (const text of ['↻2', '−2', 'cut', '≈', 'cached 50%', 'alias', 'replay'])
      expect(within(row).getByText(text), text).toBeTruthy()
    expect(cellsOf(row)).toEqual(expect.arrayContaining(['≈ 12', '≈ 34']))
  })

  test.each([
    [2, '$0.01'],
    // Nobody here knows what the tier costs.
    [null, '≈ $0.01'],
  ])(
    'names its service tier, and is no exact cost where its price (%s) is not known',
    async (...one) => {
      const [factor, cost] = one
      const other = JSON.stringify({ service_tier: 'fast', service_tier_factor: factor })
      const record = callRecord({ other, quota: 5000 })
      renderConsole(createFakeGateway({ 'call.timeline': listOf(record) }), '/calls')
      const row = await rowOf('200')
      expect(within(row).getByRole('img', { name: 'Service tier: fast' })).toBeTruthy()
      expect(cellsOf(row)).toContain(cost)
    },
  )

  test('costs at least what is known where the image tool used tokens of another model', async () => {
    const record = callRecord({ other: JSON.stringify({ image_tool_tokens: 900 }), quota: 5000 })
    renderConsole(createFakeGateway({ 'call.timeline': listOf(record) }), '/calls')
    expect(cellsOf(await rowOf('200'))).toContain('≥ $0.01')
  })

  test('tells which model answered in place of the one asked for, and what isn’t billed', async () => {
    const beside = [{ models: ['claude-fable-5'], quota: 250_000 }]
    const told = { answered_models: ['claude-opus-4-8'], unbilled: true, beside }
    const other = JSON.stringify(told)
    const record = callRecord({ other, quota: 0 })
    const gateway = createFakeGateway({ 'call.timeline': listOf(record) })
    renderConsole(gateway, '/calls?open=request-1&tab=usage')
    const panel = await screen.findByRole('tabpanel', { name: 'Usage' })
    expect(panel.textContent).toContain('Answered byclaude-opus-4-8')
    expect(panel.textContent).toContain('doesn’t bill the call')
    expect(within(panel).getByRole('row', { name: /^claude-fable-5.*\$0\.50$/ })).toBeTruthy()
  })

  test('says that the price of a model without one is that of all unpriced models', async () => {
    const other = JSON.stringify({ price_source: 'unset', model_ratio: 37.5 })
    const gateway = createFakeGateway({ 'call.timeline': listOf(callRecord({ other })) })
    renderConsole(gateway, '/calls?open=request-1&tab=usage')
    const panel = await screen.findByRole('tabpanel', { name: 'Usage' })
    expect(panel.textContent).toContain('the rate for unpriced models')
  })

  test('of yesterday tells its day to a console that stays open over midnight', async () => {
    const evening = new Date(2026, 10, 27, 23, 58)
    vi.useFakeTimers({ toFake: ['Date'], now: evening })
    onTestFinished(() => void vi.useRealTimers())
    const late = callRecord({ created_at: evening.getTime() / 1000 })
    renderConsole(createFakeGateway({ 'call.timeline': listOf(late) }), '/calls')
    const row = await rowOf('200')
    expect(cellsOf(row)[0]).toBe('23:58:00')
    vi.setSystemTime(new Date(2026, 10, 28, 7, 0))
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(cellsOf(row)[0]).toBe('Nov\u00a027 23:58:00')
  })

  test('of a refused request says why and what helps', async () => {
    const other = JSON.stringify({
      ...{ request_path: '/v1/v1/messages', method: 'POST', more: 3 },
      hint: 'Take /v1 off its base URL.',
    })
    const fields = { kind: 'refused', type: 5, status: 404, content: 'Invalid URL.', id: 0 }
    const refused = callRecord({ ...fields, model_name: '', other })
    renderConsole(createFakeGateway({ 'call.timeline': listOf(refused) }), '/calls')
    const row = await rowOf('404')
    for (const text of ['refused', '/v1/v1/messages', 'Take /v1 off its base URL.', 'Invalid URL.'])
      expect(row.textContent).toContain(text)
    expect(within(row).getByTitle('3 similar requests').textContent).toBe('×4')
  })
})

describe('the open row', () => {
  test('shows every fact of the call, and tabs by number', async () => {
    const other = JSON.stringify({
      ...{ request_path: '/v1/messages', wire_format: 'messages', upstream_format: 'chat' },
      asked_model: 'claude-via-gpt-5',
      ...{ cache_tokens: 4, reasoning_tokens: 7, loss: [{ kind: 'dropped', path: 'seed' }] },
      ...{ model_ratio: 1.5, completion_ratio: 5, cache_ratio: 0.1, group_ratio: 1 },
      admin_info: { use_channel: ['2', '1'] },
    })
    const gateway = createFakeGateway({ 'call.timeline': listOf(callRecord({ other })) })
    const user = renderConsole(gateway, '/calls')
    await user.click(within(await rowOf('laptop')).getAllByRole('cell')[0] as HTMLElement)
    const panel = screen.getByRole('complementary', { name: 'Call request-1' })
    expect(search().get('open')).toBe('request-1')
    expect(within(panel).getByRole('button', { name: 'Copy Request ID request-1' })).toBeTruthy()
    expect(within(panel).getByText('/v1/messages')).toBeTruthy()
    await user.keyboard('6')
    expect(search().get('tab')).toBe('route')
    expect(valueAt('Wire format')).toBe('messages → chat')
    expect(valueAt('Requested model')).toBe('claude-via-gpt-5')
    expect(valueAt('Channels tried')).toBe('#2 → #1')
    const losses = within(panel).getByRole('heading', { name: 'Conversion losses' }).parentElement
    expect(losses?.textContent).toContain('dropped seed')
    await user.keyboard('7')
    expect(search().get('tab')).toBe('usage')
    expect(valueAt('Reasoning tokens')).toBe('7')
    const prices = within(panel).getAllByRole('row').slice(1).map(cellTexts)
    expect(prices).toEqual([
      ['Input', '8', '$3.00', '$0.000024'],
      ['Cache read', '4', '$0.30', '$0.000002'],
      ['Output', '34', '$15.00', '$0.00051'],
    ])
    expect(within(panel).getByText(/^The cache saved/)).toBeTruthy()
  })

  const cellTexts = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)

  test('shows seconds for a call that was counted in seconds, and no tokens', async () => {
    const other = '{"cache_tokens":0,"reasoning_tokens":0,"seconds":36.7}'
    const spoken = callRecord({ prompt_tokens: 0, completion_tokens: 0, other })
    const gateway = createFakeGateway({ 'call.timeline': listOf(spoken) })
    renderConsole(gateway, '/calls?open=request-1&tab=usage')
    expect(cellsOf(await rowOf('laptop'))).not.toContain('0')
    await screen.findByRole('tabpanel', { name: 'Usage' })
    expect(valueAt('Audio seconds')).toBe('36.7')
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
    [{ action: 'used', tokens: 1, ttl: 300 }, {}, 'Used: 1 token'],
    [{ action: 'used', ttl: 300 }, {}, 'Used: – tokens'],
    [
      { action: 'used', extended: true, tokens: 12_106, ttl: 300 },
      { cache_storage_cost: 0.0001755 },
      'Used: 12,106 tokens; extended to 5 min 0 s, storage ≈ $0.000176',
    ],
    [{ action: 'none', why: 'too short' }, {}, 'None: too short'],
  ])('tells an explicit cache with its storage cost: %j', async (cache, cost, text) => {
    const other = JSON.stringify({ explicit_cache: cache, ...cost })
    const gateway = createFakeGateway({ 'call.timeline': listOf(callRecord({ other })) })
    renderConsole(gateway, '/calls?open=request-1&tab=usage')
    await screen.findByRole('tabpanel', { name: 'Usage' })
    expect(valueAt('Explicit cache')).toBe(text)
  })

  test('is named by its address, also when the list doesn’t hold it', async () => {
    const failed = callRecord({ type: 5, status: 502, request_id: 'req-7', content: 'It broke.' })
    const asked: unknown[] = []
    const gateway = createFakeGateway({
      'call.one': (input) => {
        asked.push(input)
        return failed
      },
    })
    renderConsole(gateway, '/calls?open=req-7')
    const panel = await screen.findByRole('complementary', { name: 'Call req-7' })
    expect(await within(panel).findByText('It broke.')).toBeTruthy()
    expect(asked[0]).toEqual({ request_id: 'req-7' })
  })
})
