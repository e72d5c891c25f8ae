import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ReplayButton } from '../../../../renderer/pages/calls/replay/replay-button.tsx'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, listOf, timeline } from './call-records.ts'

// Wide enough for the panel beside the list.
beforeEach(() => Reflect.get(window, 'happyDOM').setViewport({ width: 1400, height: 900 }))

afterEach(() => vi.restoreAllMocks())

const call = callRecord({ other: '{"unpriced":true}' })

const rowOf = async (text: string) =>
  (await screen.findAllByText(text))
    .find((element) => element.closest('tr'))
    ?.closest('tr') as HTMLElement

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

const valueAt = (term: string) => screen.getByText(term).nextSibling?.textContent

const search = () => new URLSearchParams(location.search)

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

describe('the list', () => {
  test('shows new calls without a reload, at its top with no row open', async () => {
    const gateway = createFakeGateway()
    renderConsole(gateway, '/calls')
    expect(await screen.findByText('No calls yet')).toBeTruthy()
    gateway.answer('call.timeline', listOf(call))
    gateway.push('calls')
    expect(await screen.findByText('laptop')).toBeTruthy()
  })

  test('stands still while a row is open, and counts what is new', async () => {
    const gateway = createFakeGateway({ 'call.timeline': listOf(call) })
    const user = renderConsole(gateway, '/calls?open=request-1')
    await rowOf('laptop')
    gateway.answer(
      'call.timeline',
      listOf(callRecord({ request_id: 'request-2', token_name: 'phone' }), call),
    )
    gateway.answer('call.news', () => ({ count: 12 }))
    gateway.push('calls')
    const news = await screen.findByRole('button', { name: '12 new' })
    expect(screen.queryByText('phone')).toBeNull()
    gateway.answer('call.news', () => ({ count: 0 }))
    await user.click(news)
    expect(await screen.findByText('phone')).toBeTruthy()
  })

  test.each([
    ['the list', 'call.timeline', '/calls?q=text%3Aneedle'],
    ['what is new', 'call.news', '/calls?q=text%3Aneedle&open=request-1'],
  ] as const)('reads %s one at a time, however many calls come', async (_, name, path) => {
    const gateway = createFakeGateway({
      ...{ 'call.timeline': listOf(call), 'call.news': () => ({ count: 0 }) },
    })
    renderConsole(gateway, path)
    await rowOf('laptop')
    const reads = () =>
      gateway.calls.filter(
        ({ name: one, input }) =>
          one === name && !String(Reflect.get(Object(input), 'q')).includes('running:yes'),
      ).length
    if (name === 'call.news') await waitFor(() => expect(reads()).toBe(1))
    const ends: (() => void)[] = []
    const answer = name === 'call.news' ? { count: 3 } : listOf(call)({})
    gateway.answer(name, () => new Promise((resolve) => ends.push(() => resolve(answer))))
    const before = reads()
    for (let events = 0; events < 5; events++) {
      gateway.push('calls')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(reads() - before).toBe(1)
    ends[0]?.()
    await waitFor(() => expect(reads() - before).toBe(2))
    ends[1]?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(reads() - before).toBe(2)
  })

  test('stops a call under way in its place', async () => {
    const fields = {
      kind: 'running',
      status: 0,
      use_time_ms: 5000,
      other: '{"usage_unknown":true}',
    }
    const running = callRecord(fields)
    const gateway = createFakeGateway({ 'call.timeline': () => timeline(running) })
    const stopped = callRecord({ status: 499, other: '{"error_code":"call_stopped"}' })
    gateway.answer('call.stop', () => stopped)
    const user = renderConsole(gateway, '/calls')
    const stop = await screen.findByRole('button', { name: 'Stop call to echo, request-1' })
    const row = stop.closest('tr') as HTMLElement
    await waitFor(() => expect(row.textContent).toMatch(/[5-9] s/))
    await user.click(stop)
    expect(await screen.findByText('499')).toBeTruthy()
    expect(gateway.calls.find(({ name }) => name === 'call.stop')?.input).toEqual({
      request_id: 'request-1',
    })
  })

  test('is saved as one archive, which says how many calls are in it', async () => {
    const captured = (id: string) => callRecord({ request_id: id, has_capture: true })
    const gateway = createFakeGateway({
      'call.timeline': listOf(
        captured('request-1'),
        captured('request-2'),
        callRecord({ request_id: 'request-3' }),
      ),
      'capture.har': () => ({
        ...{ name: 'calls.har', media_type: 'application/json', text: '{}' },
        ...{ calls: 1, gone: 1, left_out: 0 },
      }),
    })
    // The window would leave the page.
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const user = renderConsole(gateway, '/calls')
    await user.click(await screen.findByRole('button', { name: 'Save 2 calls as HAR' }))
    await screen.findByText('Saved 1 call. 1 was left out: its capture is gone, or it did not fit.')
    expect(gateway.calls.find(({ name }) => name === 'capture.har')?.input).toEqual({
      ids: ['request-1', 'request-2'],
    })
  })

  test('is sorted by its columns', async () => {
    const gateway = createFakeGateway({ 'call.timeline': listOf(call) })
    const user = renderConsole(gateway, '/calls')
    await rowOf('laptop')
    const head = (name: string) => screen.getByRole('columnheader', { name })
    expect(head('Time').getAttribute('aria-sort')).toBe('descending')
    expect(head('Time').textContent).toBe('Time ↓')
    await user.click(screen.getByRole('button', { name: 'Cost' }))
    await user.click(screen.getByRole('button', { name: 'Cost' }))
    expect(head('Cost').getAttribute('aria-sort')).toBe('ascending')
    expect(head('Cost').textContent).toBe('Cost ↑')
    expect(head('Time').getAttribute('aria-sort')).toBeNull()
    await waitFor(() =>
      expect(gateway.calls.map(({ input }) => input)).toContainEqual(
        expect.objectContaining({ sort: 'cost', order: 'asc' }),
      ),
    )
    expect(screen.getByText(/^Refused requests appear only/)).toBeTruthy()
  })

  test('has the columns that its reader chose, also after a reload', async () => {
    const gateway = createFakeGateway({ 'call.timeline': listOf(call) })
    const user = renderConsole(gateway, '/calls')
    await rowOf('laptop')
    await user.click(screen.getByRole('button', { name: 'View' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Token' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Client' }))
    expect(screen.queryByRole('columnheader', { name: 'Token' })).toBeNull()
    expect(screen.getByRole('columnheader', { name: 'Client' })).toBeTruthy()
    expect(localStorage.getItem('switchyard.calls.columns')).toContain('client')
  })
})

test.each([
  { role: 100, has_capture: false, shown: true },
  { role: 1, has_capture: true, shown: true },
  // What they ask to replay would only be refused.
  { role: 1, has_capture: false, shown: false },
])('a user of role $role with captures ($has_capture) is offered replays: $shown', async (one) => {
  const failed = callRecord({ type: 5, status: 500, has_capture: one.has_capture })
  const gateway = createFakeGateway({
    'user.self': () => ({ id: 2, username: 'bob', role: one.role, has_password: true }),
    'call.timeline': listOf(failed),
  })
  renderConsole(gateway, '/calls')
  await screen.findByRole('row', { name: /laptop/ })
  expect(screen.queryByRole('link', { name: 'Replay failures' }) !== null).toBe(one.shown)
  cleanup()
  renderConsole(gateway, '/', <ReplayButton call={failed} />)
  const link = () => screen.queryByRole('link', { name: 'Replay' })
  if (one.shown) await waitFor(() => expect(link()).not.toBeNull())
  else expect(link()).toBeNull()
})

test('on the way back from another page the list stands where it was left, below what came since', async () => {
  const rows = Array.from({ length: 150 }, (_, index) =>
    callRecord({ id: 200 - index, request_id: `request-${200 - index}` }),
  )
  let shown = rows
  const gateway = createFakeGateway({
    'call.timeline': (input: { q?: string }) => listOf(...shown)(input),
  })
  const user = renderConsole(gateway, '/calls')
  const viewport = async () =>
    (await screen.findByRole('grid', { name: 'Calls' })).parentElement as HTMLElement
  await screen.findAllByRole('row', { name: /laptop/ })
  fireEvent.scroll(await viewport(), { target: { scrollTop: 1410 } })
  await user.click(screen.getByRole('link', { name: 'Redeem' }))
  await screen.findByRole('heading', { name: 'Redeem' })
  shown = [callRecord({ id: 202, request_id: 'request-202' }), ...rows]
  await user.click(screen.getByRole('link', { name: 'Calls' }))
  await screen.findAllByRole('row', { name: /laptop/ })
  expect((await viewport()).scrollTop).toBe(1410 + 28)
})
