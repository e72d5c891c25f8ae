import { describe, expect, test } from 'vitest'
import type { CallRow } from '../../../../main/store/ledger/ledger.ts'
import { type Management, startManagement } from '../management.ts'

const now = Math.floor(Date.now() / 1000)

const row = (fields: Partial<CallRow> = {}): CallRow => ({
  requestId: 'request-1',
  createdAt: now,
  type: 2,
  userId: 1,
  username: 'ada',
  tokenId: 1,
  tokenName: 'laptop',
  channelId: 3,
  channelName: 'Vendor',
  model: 'gpt-a',
  group: 'default',
  ip: '127.0.0.1',
  content: '',
  quota: 10,
  promptTokens: 100,
  completionTokens: 20,
  useTime: 1740,
  isStream: true,
  status: 200,
  other: '{"frt":12,"admin_info":{"use_channel":["3"]}}',
  cachedTokens: 0,
  isUnpriced: false,
  isEstimated: false,
  ...fields,
})

async function withRows(...rows: CallRow[]): Promise<Management> {
  const management = await startManagement()
  await Promise.all(rows.map((one) => management.gateway.parts.ledger.record(one)))
  return management
}

describe('the list of calls', () => {
  test('has the wire’s names, seconds and milliseconds', async () => {
    const { owner } = await withRows(row())
    const { data } = (await owner.get('/api/log/')).body
    expect(data).toMatchObject({ page: 1, page_size: 10, total: 1 })
    expect(data.items[0]).toEqual({
      id: 1,
      user_id: 1,
      username: 'ada',
      created_at: now,
      type: 2,
      content: '',
      token_id: 1,
      token_name: 'laptop',
      channel: 3,
      channel_name: 'Vendor',
      model_name: 'gpt-a',
      group: 'default',
      ip: '127.0.0.1',
      quota: 10,
      prompt_tokens: 100,
      completion_tokens: 20,
      use_time: 2,
      use_time_ms: 1740,
      is_stream: true,
      status: 200,
      request_id: 'request-1',
      other: '{"frt":12,"admin_info":{"use_channel":["3"]}}',
    })
  })

  test('in one’s own view is numbered from 1 and keeps the channels to itself', async () => {
    const { owner } = await withRows(
      row({ userId: 2, username: 'bob' }),
      row({ requestId: 'mine' }),
      row({ requestId: 'mine too' }),
    )
    const { data } = (await owner.get('/api/log/self')).body
    expect(data.total).toBe(2)
    expect(data.items.map(({ id }: { id: number }) => id)).toEqual([1, 2])
    expect(data.items[0]).toMatchObject({ channel_name: '', other: '{"frt":12}' })
    // Nobody widens their own view.
    expect((await owner.get('/api/log/self?username=bob')).body.data.total).toBe(2)
  })

  test('in one’s own view has the address only if the user’s settings say so', async () => {
    const { owner, gateway } = await withRows(row({ ip: '192.0.2.7' }))
    const ownAddress = async () => (await owner.get('/api/log/self?type=2')).body.data.items[0].ip
    expect(await ownAddress()).toBe('')
    gateway.parts.users.update(1, { setting: '{"record_ip_log":true}' })
    expect(await ownAddress()).toBe('192.0.2.7')
    gateway.parts.users.update(1, { setting: '{"record_ip_log":false}' })
    expect(await ownAddress()).toBe('')
    expect((await owner.get('/api/log/')).body.data.items[0].ip).toBe('192.0.2.7')
  })

  test.each([
    ['model_name=gpt-b', ['b']],
    ['model_name=gpt-%25', ['b', 'a']],
    ['type=5', ['b']],
    ['type=0', ['b', 'a']],
    ['channel=4', ['b']],
    ['token_name=desk', ['b']],
    ['request_id=a', ['a']],
    ['username=nobody', []],
    [`start_timestamp=${now + 1}`, []],
    [`end_timestamp=${now}&page_size=1&p=2`, ['a']],
  ])('can be narrowed by %s', async (query, expected) => {
    const { owner } = await withRows(
      row({ requestId: 'a' }),
      row({ requestId: 'b', model: 'gpt-b', type: 5, channelId: 4, tokenName: 'desk' }),
    )
    const { items } = (await owner.get(`/api/log/?${query}`)).body.data
    expect(items.map((one: { request_id: string }) => one.request_id)).toEqual(expected)
  })

  test('a filter that is no number is named', async () => {
    const { owner } = await startManagement()
    expect((await owner.get('/api/log/?start_timestamp=yesterday')).body).toMatchObject({
      code: 'invalid_params',
      field: 'start_timestamp',
    })
  })
})

test('figures add up over the filter, and per minute', async () => {
  const { owner } = await withRows(
    row(),
    row({ userId: 2, username: 'bob' }),
    row({ type: 5, quota: 0 }),
  )
  expect((await owner.get('/api/log/stat')).body.data).toMatchObject({
    quota: 20,
    errors: 1,
    rpm: expect.any(Number),
    tpm: expect.any(Number),
    prompt_tokens: 300,
    completion_tokens: 60,
  })
  expect((await owner.get('/api/log/self/stat')).body.data.quota).toBe(10)
})

describe('use by the hour', () => {
  test('has one row for a model of a user', async () => {
    const { owner } = await withRows(row(), row(), row({ userId: 2, username: 'bob' }))
    const { data } = (await owner.get('/api/data/')).body
    expect(data).toHaveLength(2)
    expect(data).toContainEqual({
      id: expect.any(Number),
      user_id: 1,
      username: 'ada',
      model_name: 'gpt-a',
      created_at: now - (now % 3600),
      token_used: 240,
      count: 2,
      quota: 20,
    })
    expect((await owner.get('/api/data/self')).body.data).toHaveLength(1)
    expect((await owner.get('/api/data/?username=bob')).body.data).toHaveLength(1)
  })

  test('of more than 30 days is refused to a single user', async () => {
    const { owner } = await startManagement()
    const { status, body } = await owner.get(`/api/data/self?start_timestamp=${now - 2_600_000}`)
    expect(status).toBe(400)
    expect(body.message).toMatch(/30 days/)
  })
})
