import { describe, expect, test } from 'vitest'
import type { CallRow } from '../../../../main/store/ledger/ledger.ts'
import { call } from '../../store/ledger/call.ts'
import { echoChannel, type Management, startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'

const HOUR = 3600
const now = Math.floor(Date.now() / 1000)
const thisHour = now - (now % HOUR)

async function withRows(rows: readonly Partial<CallRow>[]): Promise<Management> {
  const management = await startManagement()
  const { ledger } = management.gateway.parts
  await Promise.all(rows.map((row) => ledger.record(call({ createdAt: now, ...row }))))
  return management
}

const summaryOf = async (visitor: Visitor, query: string, path = '/api/usage/summary') =>
  (await visitor.get(`${path}?${query}`)).body.data

describe('use summed up', () => {
  test('has every figure, errors among the calls', async () => {
    const { owner } = await withRows([
      { quota: 10, cachedTokens: 3 },
      { type: 5, quota: 0, promptTokens: 1, completionTokens: 0 },
      { quota: 0, isUnpriced: true },
    ])
    const data = await summaryOf(owner, `step=hour&start_timestamp=${thisHour - HOUR}`)
    expect(data).toEqual({
      ...{ start: thisHour - HOUR, end: expect.any(Number), step: 'hour' },
      rows: [
        {
          ...{ key: 'model-a', label: 'model-a', time: thisHour, calls: 3, errors: 1, unpriced: 1 },
          ...{ quota: 10, prompt_tokens: 11, completion_tokens: 14, cached_tokens: 3 },
          estimated: 0,
        },
      ],
    })
  })

  test('names channels, tokens and users, also deleted ones', async () => {
    const management = await startManagement()
    const { owner, gateway } = management
    const { ledger } = gateway.parts
    await owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel() })
    const token = (await owner.send('POST', '/api/token/', { name: 'laptop' })).body.data
    await ledger.record(call({ createdAt: now, channelId: 1, tokenId: token.id }))
    await ledger.record(call({ createdAt: now, channelId: 77, tokenId: 0, userId: 5 }))
    await ledger.record(call({ createdAt: now, type: 5, channelId: 0, tokenId: 0, quota: 0 }))
    await owner.send('DELETE', `/api/token/${token.id}`)
    const labels = async (by: string) => {
      const { rows } = await summaryOf(owner, `by=${by}&step=all`)
      return rows.map(({ key, label }: { key: string; label: string }) => [key, label]).sort()
    }
    expect(await labels('channel')).toEqual([
      ['0', ''],
      ['1', 'Echo'],
      ['77', '#77'],
    ])
    expect(await labels('token')).toEqual([
      ['0', ''],
      [`${token.id}`, 'laptop'],
    ])
    expect(await labels('user')).toEqual([
      ['1', 'ada'],
      ['5', '#5'],
    ])
  })

  test('of a user is nobody else’s', async () => {
    const management = await withRows([
      { userId: 1, username: 'ada', quota: 10 },
      { userId: 2, username: 'bob', quota: 7, tokenId: 9 },
    ])
    const bob = await signInAs(management, { username: 'bob' })
    const own = await summaryOf(bob, 'by=token&step=all&username=ada', '/api/usage/summary/self')
    expect(own.rows).toMatchObject([{ key: '9', quota: 7 }])
    expect((await bob.get('/api/usage/summary')).status).toBe(403)
    expect((await bob.get('/api/usage/summary/self?by=channel')).body.field).toBe('by')
    expect((await management.visitor().get('/api/usage/summary/self')).status).toBe(401)
    const ofBob = await summaryOf(management.owner, 'by=model&step=all&username=bob')
    expect(ofBob.rows).toMatchObject([{ quota: 7 }])
  })

  test.each([
    ['step=hour&start_timestamp=1&end_timestamp=999999', /7 days/],
    ['step=day&start_timestamp=1', /400 days/],
    [`start_timestamp=${now}&end_timestamp=${now - 9}`, /after the end/],
  ])('refuses %s', async (query, said) => {
    const { owner } = await startManagement()
    const { status, body } = await owner.get(`/api/usage/summary?${query}`)
    expect([status, body.code, body.field]).toEqual([400, 'invalid_params', 'start_timestamp'])
    expect(body.message).toMatch(said)
    expect((await owner.get('/api/usage/summary?step=all&start_timestamp=1')).status).toBe(200)
  })

  test('by the hour takes a week with the longer day of a clock change', async () => {
    const { owner } = await startManagement()
    const week = (hours: number) =>
      owner.get(
        `/api/usage/summary?step=hour&start_timestamp=${now - hours * 3600}&end_timestamp=${now}`,
      )
    expect((await week(7 * 24 + 1)).status).toBe(200)
    expect((await week(8 * 24 + 1)).status).toBe(400)
  })

  test('is refused while the charts are switched off, and back at once when they are on', async () => {
    const { owner, gateway } = await withRows([{}])
    const paths = ['/api/usage/summary', '/api/usage/summary/self', '/api/data/', '/api/data/self']
    gateway.parts.settings.update({ DataExportEnabled: false })
    for (const path of paths) {
      const { status, body } = await owner.get(path)
      expect([path, status, body.code]).toEqual([path, 403, 'forbidden'])
      expect(body.message).toContain('DataExportEnabled')
    }
    gateway.parts.settings.update({ DataExportEnabled: true })
    for (const path of paths) expect((await owner.get(path)).status).toBe(200)
  })
})

describe('removing old rows of the log', () => {
  test('keeps what they add up to, and says so in the log', async () => {
    const { owner } = await withRows([{ createdAt: now - 9000, tokenName: 'old' }, {}])
    const { status, body } = await owner.send('DELETE', `/api/log/?target_timestamp=${now - 60}`)
    expect([status, body.data]).toEqual([200, 1])
    const { items } = (await owner.get('/api/log/')).body.data
    expect(items.map(({ type }: { type: number }) => type).sort()).toEqual([2, 3])
    expect(items.find(({ type }: { type: number }) => type === 3)).toMatchObject({
      ...{ username: 'ada', content: expect.stringContaining('Removed 1 row of') },
    })
    expect((await owner.get('/api/log/stat')).body.data.quota).toBe(20)
  })

  test.each([
    ['milliseconds in place of seconds', now * 1000],
    ['a time that is no date', 999_999_999_999_999],
  ])('takes nothing for %s, which would be the whole log', async (_what, target) => {
    const { owner } = await withRows([{ createdAt: now - 9000 }, {}])
    const { status, body } = await owner.send('DELETE', `/api/log/?target_timestamp=${target}`)
    expect([status, body.field]).toEqual([400, 'target_timestamp'])
    expect(body.message).toContain('unix seconds')
    expect((await owner.get('/api/log/?type=2')).body.data.total).toBe(2)
  })

  test('is the owner’s alone and needs a time', async () => {
    const management = await withRows([{ createdAt: 1000 }])
    const { owner } = management
    for (const query of [
      '',
      '?target_timestamp=0',
      '?target_timestamp=-5',
      '?target_timestamp=x',
    ]) {
      const { status, body } = await owner.send('DELETE', `/api/log/${query}`)
      expect([query, status, body.field]).toEqual([query, 400, 'target_timestamp'])
    }
    const bob = await signInAs(management, { username: 'bob', role: 10 })
    expect((await bob.send('DELETE', '/api/log/?target_timestamp=2000')).status).toBe(403)
    expect((await owner.get('/api/log/?type=2')).body.data.total).toBe(1)
  })
})

test('the deprecated searches of the log find nothing, in pages', async () => {
  const { owner } = await withRows([{}])
  for (const path of ['/api/log/search', '/api/log/self/search']) {
    expect((await owner.get(`${path}?keyword=model-a&p=2`)).body.data).toEqual({
      ...{ page: 2, page_size: 10, total: 0, items: [] },
    })
  }
})

test('figures of the log are those of one token when it is named', async () => {
  const { owner } = await withRows([
    { userId: 1, quota: 3 },
    { tokenName: 'desk', quota: 4 },
  ])
  expect((await owner.get('/api/log/stat?token_name=desk')).body.data.quota).toBe(4)
  expect((await owner.get('/api/log/self/stat?token_name=laptop')).body.data.quota).toBe(3)
})
