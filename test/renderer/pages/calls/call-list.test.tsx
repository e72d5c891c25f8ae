import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ReplayButton } from '../../../../renderer/pages/calls/replay/replay-button.tsx'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, listOf, rowOf, timeline } from './call-records.ts'

// Wide enough for the panel beside the list.
beforeEach(() => Reflect.get(window, 'happyDOM').setViewport({ width: 1400, height: 900 }))

afterEach(() => vi.restoreAllMocks())

const call = callRecord({ other: '{"unpriced":true}' })

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

  test('counts a call that came after another was stopped in its place', async () => {
    const stopped = callRecord({ status: 499 })
    const gateway = createFakeGateway({
      'call.timeline': () => timeline(callRecord({ kind: 'running', status: 0 })),
      'call.stop': () => stopped,
    })
    const user = renderConsole(gateway, '/calls')
    await user.click(await screen.findByRole('button', { name: 'Stop call to echo, request-1' }))
    await screen.findByText('499')
    // From here on the list has the call itself.
    gateway.answer('call.timeline', listOf({ ...stopped, token_name: 'phone' }))
    gateway.push('calls')
    await user.click(await rowOf('phone'))
    gateway.answer('call.news', () => ({ count: 1 }))
    gateway.push('calls')
    expect(await screen.findByRole('button', { name: '1 new' })).toBeTruthy()
  })

  test.each([
    ['a call that was stopped in its place isn’t', 'call', '1 new'],
    // The list doesn't show its end yet.
    ['one whose end takes longer takes none off those that are', 'running', '2 new'],
  ])('of what is new, %s counted', async (_what, kind, told) => {
    const gateway = createFakeGateway({
      'call.timeline': () => timeline(callRecord({ kind: 'running', status: 0 })),
      'call.stop': () => callRecord({ kind, status: 499 }),
    })
    const user = renderConsole(gateway, '/calls?open=request-1')
    const [stop] = await screen.findAllByRole('button', { name: /^Stop call to echo/ })
    await user.click(stop as HTMLElement)
    await waitFor(() => expect(gateway.calls.some(({ name }) => name === 'call.stop')).toBe(true))
    gateway.answer('call.news', () => ({ count: 2 }))
    gateway.push('calls')
    expect(await screen.findByRole('button', { name: told })).toBeTruthy()
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
