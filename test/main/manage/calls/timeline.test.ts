import { describe, expect, test } from 'vitest'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import type { Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { idsOf, logRow, now, startWithRows, timelinePath } from './log-rows.ts'
import { refusedIn } from './refused-in.ts'

interface Page {
  rows: { request_id: string; kind: string }[]
  next: string | null
  newest: string
}

const read = async (visitor: Visitor, query: Record<string, string> = {}): Promise<Page> =>
  (await visitor.get(timelinePath(query))).body.data

/** All ids of a list, page by page; `between` is done after each page. */
async function readAll(
  visitor: Visitor,
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const page = await read(visitor, { ...query, cursor })
    ids.push(...idsOf(page.rows))
    cursor = page.next ?? ''
    await between()
  } while (cursor !== '')
  return ids
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    logRow(`r${index}`, {
      // Several in the same second.
      createdAt: now + Math.floor(index / 7),
      ...{ useTime: (index * 37) % 50, quota: (index * 11) % 5, promptTokens: index % 3 },
      ...(index % 4 === 0 ? { other: { frt: (index * 13) % 9 } } : {}),
    }),
  )

const newestFirst = (count: number) =>
  Array.from({ length: count }, (_, index) => `r${count - 1 - index}`)

describe('the list', () => {
  test('holds calls alone; each row has its kind, and says that there is no capture', async () => {
    const { owner } = await startWithRows(
      logRow('a'),
      logRow('b', { type: 3, createdAt: now + 1, model: '' }),
    )
    const { rows, next } = await read(owner)
    expect(rows).toMatchObject([
      {
        ...{ id: 1, request_id: 'a', kind: 'call', has_capture: false, created_at: now },
        ...{ model_name: 'gpt-a', channel_name: 'Vendor', use_time_ms: 1740, status: 200 },
      },
    ])
    expect(next).toBe(null)
  })

  test('is read page by page, whole, while rows arrive', async () => {
    const { owner, gateway } = await startWithRows(...many(60))
    let count = 0
    const arrive = () =>
      gateway.parts.ledger.record(logRow(`new${count++}`, { createdAt: now + 500 }))
    expect(await readAll(owner, { limit: '7' }, arrive)).toEqual(newestFirst(60))
    expect(await readAll(owner, { q: 'id:r', limit: '7' }, arrive)).toEqual(newestFirst(60))
    const sorted = await readAll(owner, { q: 'id:r', limit: '7', sort: 'duration' }, () =>
      gateway.parts.ledger.record(logRow(`r-late${count++}`, { useTime: 25 })),
    )
    // It came too late for this list, into the middle of it.
    expect(sorted.toSorted()).toEqual(newestFirst(60).sort())
  })

  test('is sorted by each of its columns, both ways; what has no figure comes last', async () => {
    const rows = many(40)
    const { owner } = await startWithRows(...rows)
    const figures: Record<string, (row: StoredCall | (typeof rows)[number]) => number | null> = {
      ...{ duration: (row) => row.useTime, cost: (row) => row.quota },
      ...{ input: (row) => row.promptTokens, output: (row) => row.completionTokens },
      ...{ first_token: (row) => JSON.parse(row.other).frt ?? null, time: (row) => row.createdAt },
    }
    for (const [sort, figure] of Object.entries(figures)) {
      for (const order of ['desc', 'asc']) {
        const ids = await readAll(owner, { sort, order, limit: '9' })
        expect(ids).toHaveLength(40)
        const byId = new Map(rows.map((row) => [row.requestId, figure(row)]))
        const values = ids.map((id) => byId.get(id) ?? null)
        const known = values.filter((value) => value !== null)
        const way = order === 'asc' ? 1 : -1
        expect(known, sort).toEqual(known.toSorted((one, other) => way * (one - other)))
        expect(values.slice(known.length).every((value) => value === null)).toBe(true)
      }
    }
  })

  test('refuses a cursor that is none, one of another order, and too long a page', async () => {
    const { owner } = await startWithRows(...many(3))
    const { next } = await read(owner, { limit: '1' })
    const refusals: Record<string, string>[] = [
      { cursor: 'nonsense' },
      { cursor: Buffer.from('{"sort":"time"}').toString('base64url') },
      { cursor: next ?? '', sort: 'cost' },
      { limit: '501' },
      { limit: '0' },
      { sort: 'name' },
    ]
    for (const query of refusals) {
      const field = Object.keys(query)[0]
      const { status, body } = await owner.get(timelinePath(query))
      expect({ status, ...body }).toMatchObject({ status: 400, code: 'invalid_params', field })
    }
  })
})

describe('a user who is no administrator', () => {
  const rows = [
    logRow('theirs', { userId: 1, model: 'secret-model' }),
    logRow('mine', {
      ...{ userId: 2, username: 'bob', channelName: 'Hidden', ip: '192.0.2.7' },
      other: { admin_info: { use_channel: ['3'] } },
    }),
  ]
  async function start() {
    const management = await startWithRows(...rows)
    const bob = await signInAs(management, { username: 'bob' })
    return { ...management, bob }
  }

  test('sees own rows alone, without channels and what else is the administrators’', async () => {
    const { bob } = await start()
    expect(bob.id).toBe(2)
    for (const q of ['', 'gpt', '-model:x', 'status:200']) {
      expect((await read(bob, { q })).rows).toMatchObject([
        {
          id: 0,
          request_id: 'mine',
          channel_name: '',
          ip: '',
          other: expect.not.stringContaining('admin'),
        },
      ])
    }
    expect((await read(bob, { q: 'secret' })).rows).toEqual([])
  })

  test('cannot learn by searching what the rows do not show', async () => {
    const { bob } = await start()
    expect((await read(bob, { q: 'hidden' })).rows).toEqual([])
    for (const q of ['channel:hidden', '-user:ada']) {
      const { body } = await bob.get(timelinePath({ q }))
      expect(body).toMatchObject({ code: 'invalid_params', field: 'q' })
      expect(body.message).toContain('only administrators')
    }
    const { body } = await bob.get('/api/log/suggest?field=channel')
    expect(body).toMatchObject({ code: 'invalid_params', field: 'field' })
    expect((await bob.get('/api/log/suggest?field=model')).body.data.values).toEqual([
      { value: 'gpt-a', count: 1 },
    ])
  })

  test('opens no row of others, and is told of none', async () => {
    const { bob, owner } = await start()
    expect((await bob.get('/api/log/one/mine')).body.data).toMatchObject({ channel_name: '' })
    expect((await bob.get('/api/log/one/theirs')).body).toMatchObject({ code: 'not_found' })
    expect((await owner.get('/api/log/one/theirs')).body.data).toMatchObject({ kind: 'call' })
    const { newest } = await read(bob)
    expect(newest).not.toBe('')
  })
})

test('a user learns from the places in a list neither how many calls others made, nor when', async () => {
  const management = await startWithRows(...many(5))
  const bob = await signInAs(management, { username: 'bob' })
  for (const id of ['b1', 'b2', 'b3'])
    await management.gateway.parts.ledger.record(
      logRow(id, {
        userId: bob.id,
        username: 'bob',
        createdAt: now,
        other: { session: `s:${id}` },
      }),
    )
  const page = await read(bob, { limit: '1' })
  const sessions = (await bob.get('/api/sessions?limit=1')).body.data
  for (const place of [page.next, page.newest, sessions.next]) {
    expect(place).toMatch(/^[\w-]+$/)
    const shown = Buffer.from(place, 'base64url').toString()
    expect(shown).not.toMatch(/"id"|"time"/)
  }
  // They are still places: the list goes on behind them.
  expect(await readAll(bob, { limit: '1' })).toEqual(['b3', 'b2', 'b1'])
  const second = (await bob.get(`/api/sessions?limit=1&cursor=${sessions.next}`)).body.data
  expect(second.sessions).toHaveLength(1)
})

test('new rows that fit are counted, for "12 new", from any cursor of the list', async () => {
  const management = await startWithRows(...many(5))
  const { owner, gateway } = management
  const bob = await signInAs(management, { username: 'bob' })
  const { newest, next } = await read(owner, { limit: '2' })
  const time = Math.floor(Date.now() / 1000)
  await gateway.parts.ledger.record(logRow('n1', { createdAt: time, model: 'new' }))
  await gateway.parts.ledger.record(logRow('n2', { createdAt: time }))
  const count = async (visitor: Visitor, query: Record<string, string>) =>
    (await visitor.get(`/api/log/timeline/news?${new URLSearchParams(query)}`)).body.data.count
  expect(await count(owner, { since: newest })).toBe(2)
  expect(await count(owner, { since: next ?? '' })).toBe(2)
  expect(await count(owner, { since: newest, q: 'model:new' })).toBe(1)
  expect(await count(owner, { since: newest, q: 'refused:yes' })).toBe(0)
  expect(await count(bob, { since: newest })).toBe(0)
  const again = await read(owner)
  expect(await count(owner, { since: again.newest })).toBe(0)
  const { body } = await owner.get('/api/log/timeline/news?since=nonsense')
  expect(body).toMatchObject({ code: 'invalid_params', field: 'since' })
})

test('values are suggested for what is typed, with how often each is there', async () => {
  const { owner } = await startWithRows(
    logRow('a', { other: { client: 'claude-cli/2' } }),
    logRow('b', { model: 'my-gpt', channelName: 'Work' }),
    logRow('c', { model: 'my-gpt', status: 502 }),
  )
  const suggest = async (field: string, prefix = '') =>
    (await owner.get(`/api/log/suggest?${new URLSearchParams({ field, prefix })}`)).body.data.values
  expect(await suggest('model', 'GPT')).toEqual([
    { value: 'gpt-a', count: 1 },
    { value: 'my-gpt', count: 2 },
  ])
  expect(await suggest('channel')).toEqual([
    { value: 'Vendor', count: 2 },
    { value: 'Work', count: 1 },
  ])
  expect(await suggest('client', 'cla')).toEqual([{ value: 'claude-cli/2', count: 1 }])
  expect(await suggest('status', '5')).toEqual([{ value: '502', count: 1 }])
  expect(await suggest('user', 'a')).toEqual([{ value: 'ada', count: 3 }])
  expect(await suggest('model', '%')).toEqual([])
})

test('a row is opened by its request id; without one it says so', async () => {
  const { owner } = await startWithRows(
    logRow('a', { type: 4, content: 'A budget was passed.' }),
    logRow('a', { model: 'the-call' }),
  )
  expect((await owner.get('/api/log/one/a')).body.data).toMatchObject({
    ...{ kind: 'call', model_name: 'the-call' },
  })
  const { status, body } = await owner.get('/api/log/one/nobody')
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  expect(body.message).toContain('"nobody"')
})

test('refused requests stand among the calls, each in its time, on any page', async () => {
  const { owner, gateway } = await startWithRows(...many(30))
  const rows = Array.from({ length: 12 }, (_, index) => ({
    ...logRow(`x${index}`, {
      type: 5,
      createdAt: now + Math.floor(index / 2) - 1,
      status: 401,
      userId: 0,
    }),
    id: index + 1,
  }))
  gateway.parts.timeline.refused = refusedIn(rows)
  const times = new Map([...many(30), ...rows].map((row) => [row.requestId, row.createdAt]))
  for (const limit of ['1', '5', '500']) {
    const ids = await readAll(owner, { limit })
    expect(new Set(ids).size).toBe(42)
    const inOrder = ids.map((id) => times.get(id) ?? 0)
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => other - one))
  }
  expect(await readAll(owner, { q: 'refused:yes', limit: '5' })).toEqual(
    rows.map(({ requestId }) => requestId).reverse(),
  )
  expect(await readAll(owner, { q: 'refused:no', limit: '5' })).toEqual(newestFirst(30))
  expect(await readAll(owner, { q: 'status:401' })).toHaveLength(12)
  expect((await owner.get('/api/log/one/x3')).body.data).toMatchObject({
    ...{ id: 0, kind: 'refused', status: 401 },
  })
})

test('a call is found by its id though warnings were booked under the id as well', async () => {
  const warning = { type: 4, quota: 0, content: 'Most of the budget is used.' } as const
  const { owner } = await startWithRows(
    logRow('warned', { type: 5, status: 502 }),
    logRow('warned', { ...warning, createdAt: now + 1 }),
    logRow('warned', { ...warning, createdAt: now + 2 }),
  )
  const { status, body } = await owner.get('/api/log/one/warned')
  expect([status, body.data?.request_id, body.data?.status]).toEqual([200, 'warned', 502])
})
