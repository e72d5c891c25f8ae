import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { readRoute } from '../../../../renderer/pages/calls/route-facts.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, listOf } from './call-records.ts'

const call = callRecord({ channel: 2, channel_name: 'Second', model_name: 'model-a' })

const until = new Date('2026-11-21T12:00:42').getTime()
const candidates = [
  { id: 1, name: 'First', priority: 10, weight: 1, place: 1 },
  { id: 2, name: 'Second', priority: 0, weight: 5, place: 2, native: true },
  {
    id: 3,
    name: 'Third',
    priority: 20,
    weight: 0,
    why: 'open',
    until,
    reason: 'The engine is overloaded.',
  },
]
const attempts = [
  {
    channel: 1,
    key: 1,
    at: 2,
    ms: 310,
    status: 429,
    code: 'upstream_rate_limited',
    message: 'Slow down, please.',
    after: 'next',
  },
  { channel: 2, at: 1312, ms: 480, status: 200, waited: 1000 },
]

const openDetails = async (fields: object, info: unknown) => {
  const other = JSON.stringify({ admin_info: info, asked_model: 'asked' })
  const gateway = createFakeGateway({ 'call.timeline': listOf({ ...call, ...fields, other }) })
  const user = renderConsole(gateway, '/calls?open=request-1&tab=route')
  await screen.findByRole('tabpanel', { name: 'Route' })
  return user
}

const route = () => screen.getByRole('region', { name: 'Why this channel' })
const textsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replace(/\s+/g, ' ') ?? '')

describe('why a call went where it did', () => {
  test('each try is told with its time, key, status, sentence and what came of it', async () => {
    await openDetails({}, { use_channel: ['1', '2'], route: { candidates, attempts } })
    const [tries] = within(route()).getAllByRole('list')
    const [first, second] = textsOf(tries as HTMLElement)
    for (const word of [
      '2 ms',
      'First #1',
      'key 2',
      '429 upstream_rate_limited',
      '310 ms',
      'Slow down, please.',
      'The next channel was tried.',
    ])
      expect(first).toContain(word)
    for (const word of ['1.31 s', 'Second #2', '200', '480 ms', 'after waiting 1.00 s'])
      expect(second).toContain(word)
    expect(second).not.toContain('tried')
  })

  test('a failed attempt tells what its conversion lost', async () => {
    const loss = [{ path: 'top_k', kind: 'dropped', note: 'this upstream has no such field' }]
    const lossy = [{ ...attempts[0], loss }, attempts[1]]
    await openDetails({}, { use_channel: ['1', '2'], route: { candidates, attempts: lossy } })
    const lists = within(route()).getAllByRole('list', { name: 'Conversion losses' })
    expect(lists.map(({ textContent }) => textContent)).toEqual([
      'dropped top_k: this upstream has no such field',
    ])
  })

  test('each candidate has its place, or why it had none and until when', async () => {
    await openDetails({}, { use_channel: ['1', '2'], route: { candidates, attempts } })
    const [, list] = within(route()).getAllByRole('list')
    const [first, second, third] = textsOf(list as HTMLElement)
    expect(first).toContain('1.First #1priority 10 · weight 1 · converted')
    expect(second).toContain('2.Second #2priority 0 · weight 5 · passthrough')
    expect(third).toContain('skipped: was cooling down until')
    expect(third).toContain('12:00:42')
    expect(third).toContain('The engine is overloaded.')
  })

  test('a failed call that no channel was asked for says so', async () => {
    const limited = [{ ...candidates[0], place: undefined, why: 'rate_limited', until }]
    await openDetails(
      { type: 5, status: 429 },
      { use_channel: [], route: { candidates: limited, attempts: [] } },
    )
    expect(within(route()).getByText('No channel was tried.')).toBeTruthy()
    expect(within(route()).getByText(/rate-limited by the vendor until/)).toBeTruthy()
  })

  test('many candidates are folded, and those that were not listed are counted', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      id: index + 1,
      name: `Channel ${index + 1}`,
      priority: 0,
      weight: 1,
      place: index + 1,
    }))
    const user = await openDetails({}, { route: { candidates: many, more: 12, attempts } })
    expect(within(route()).queryByText(/Channel 6/)).toBeNull()
    await user.click(within(route()).getByRole('button', { name: 'Show all 8' }))
    expect(within(route()).getByText(/Channel 6/)).toBeTruthy()
    expect(within(route()).getByText('and 12 more channels')).toBeTruthy()
  })

  test('a call to a route tells its rule, the model of each try, and what no channel served', async () => {
    const named = { name: 'coding', rule: 'long', unserved: ['gone', 'gone', 'lost'] }
    const routed = [
      { ...candidates[0], model: 'model-a' },
      { ...candidates[0], model: 'model-b', place: 2 },
      { ...candidates[1], model: 'model-c', place: undefined, why: 'only' },
    ]
    const tries = [
      { ...attempts[0], model: 'model-a' },
      { ...attempts[1], channel: 1, model: 'model-b' },
    ]
    await openDetails({}, { route: { named, candidates: routed, attempts: tries } })
    expect(within(route()).getByText('Route coding, rule long')).toBeTruthy()
    expect(within(route()).getByText('No channel served gone, lost.')).toBeTruthy()
    const [tried, asked] = within(route()).getAllByRole('list')
    expect(textsOf(tried as HTMLElement)).toEqual([
      expect.stringContaining('First #1model-akey 2'),
      expect.stringContaining('First #1model-b200'),
    ])
    expect(textsOf(asked as HTMLElement)).toEqual([
      expect.stringContaining('1.First #1model-apriority'),
      expect.stringContaining('2.First #1model-bpriority'),
      // The target before it has answered.
      expect.stringContaining('not reached: only channel with this model'),
    ])
    expect(screen.getAllByText('route').length).toBeGreaterThan(0)
    expect(screen.queryByText('alias')).toBeNull()
  })

  test('a call under an alias is marked as one, not as a route', async () => {
    await openDetails({}, { use_channel: ['1', '2'], route: { candidates, attempts } })
    expect(screen.getAllByText('alias').length).toBeGreaterThan(0)
    expect(screen.queryByText('route')).toBeNull()
  })

  test('a route that led nowhere is told too, with its own targets', async () => {
    const named = { name: 'coding', unserved: ['gone'] }
    await openDetails({ type: 5, status: 503 }, { route: { named, candidates: [], attempts: [] } })
    expect(within(route()).getByText('Route coding, its own targets')).toBeTruthy()
    expect(within(route()).getByText('No channel served gone.')).toBeTruthy()
    expect(within(route()).getByText('No channel was tried.')).toBeTruthy()
  })

  test('an older call says that it is not recorded', async () => {
    await openDetails({}, { use_channel: ['2'] })
    expect(within(route()).getByText(/wasn’t recorded/)).toBeTruthy()
  })

  test('a user who may not know of it sees no empty section', async () => {
    await openDetails({}, undefined)
    expect(screen.queryByRole('region', { name: 'Why this channel' })).toBeNull()
  })
})

describe('what another version wrote', () => {
  test('circuit states by their former names', async () => {
    const former = ['cooling', 'trial'].map((why) => ({ ...candidates[0], place: undefined, why }))
    await openDetails({}, { route: { candidates: former, attempts } })
    expect(within(route()).getByText('skipped: was cooling down')).toBeTruthy()
    expect(within(route()).getByText('skipped: being probed by another call')).toBeTruthy()
  })

  test('reasons and outcomes that are not known are shown as they are written', async () => {
    const strange = [{ ...candidates[0], place: undefined, why: 'full_moon' }]
    const odd = [{ channel: 1, after: 'sent_by_pigeon' }]
    await openDetails({}, { route: { candidates: strange, attempts: odd } })
    expect(within(route()).getByText('skipped: full_moon')).toBeTruthy()
    expect(within(route()).getByText('sent_by_pigeon')).toBeTruthy()
  })

  test.each([
    null,
    'text',
    { route: null },
    { route: [] },
    { route: { candidates: 'none', attempts: { 0: {} } } },
    { route: { candidates: [], attempts: [], named: { rule: 'r', unserved: 'none' } } },
    { route: { candidates: [null, 3, { id: 'x' }], attempts: [[], { channel: null }] } },
  ])('%j is no note and breaks nothing', (info) => {
    expect(readRoute(info)).toBeNull()
  })
})
