import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matchesPattern } from '../../../../main/manage/tokens/tokens.ts'
import { type Management, startManagement } from '../management.ts'

const now = () => Math.floor(Date.now() / 1000)

const create = async ({ owner }: Management, fields: Record<string, unknown> = {}) =>
  (await owner.send('POST', '/api/token/', { name: 'laptop', ...fields })).body.data

/** Books a call of a token's that used so many units. */
const use = ({ gateway }: Management, tokenId: number, quota: number) =>
  gateway.parts.ledger.record({
    requestId: 'r',
    createdAt: now(),
    type: 2,
    userId: 1,
    username: 'ada',
    tokenId,
    tokenName: 'laptop',
    channelId: 0,
    channelName: '',
    model: 'echo',
    group: 'default',
    ip: '',
    content: '',
    quota,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 1,
    isStream: false,
    status: 200,
    other: '{}',
    cachedTokens: 0,
    isUnpriced: false,
    isEstimated: false,
  })

test('the whole key is shown once, at creation, and again only when it is revealed', async () => {
  const management = await startManagement()
  const { owner } = management
  const created = await create(management, { unlimited_quota: true })
  expect(created.key).toMatch(/^sk-[A-Za-z0-9]{48}$/)
  for (const path of [
    '/api/token/',
    `/api/token/${created.id}`,
    '/api/token/search?keyword=laptop',
  ]) {
    const answer = JSON.stringify((await owner.get(path)).body)
    expect(answer).not.toContain(created.key.slice(3))
    expect(answer).toContain(`sk-${created.key.slice(3, 7)}****${created.key.slice(-4)}`)
  }
  const revealed = await owner.send('POST', `/api/token/${created.id}/key`)
  expect(revealed.body.data).toEqual({ key: created.key })
})

test('the state file holds no key that could be used', async () => {
  const management = await startManagement()
  const { key } = await create(management)
  const file = readFileSync(join(management.gateway.parts.dataFolder, 'state.json'), 'utf8')
  expect(file).not.toContain(key.slice(3))
})

test('what is left is what was granted minus what was used', async () => {
  const management = await startManagement()
  const { id } = await create(management, { remain_quota: 100 })
  await use(management, id, 30)
  const { owner } = management
  expect((await owner.get(`/api/token/${id}`)).body.data).toMatchObject({
    remain_quota: 70,
    used_quota: 30,
    status: 1,
  })
  await owner.send('PUT', '/api/token/', { id, remain_quota: 500 })
  expect((await owner.get(`/api/token/${id}`)).body.data).toMatchObject({
    remain_quota: 500,
    used_quota: 30,
  })
})

test('an expired and an exhausted token say so, and cannot be enabled as they are', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const expired = gateway.parts.tokens.create({
    userId: 1,
    name: 'old',
    unlimitedQuota: true,
    expiredTime: now() - 1,
  })
  const { id } = await create(management, { remain_quota: 10 })
  // The last call may use more than was left.
  await use(management, id, 12)
  expect((await owner.get(`/api/token/${expired.id}`)).body.data.status).toBe(3)
  const exhausted = (await owner.get(`/api/token/${id}`)).body.data
  expect(exhausted).toMatchObject({ status: 4, remain_quota: 0, used_quota: 12 })

  for (const one of [expired.id, id]) {
    const input = { id: one, status: 1 }
    const { status, body } = await owner.send('PUT', '/api/token/?status_only=1', input)
    expect(status).toBe(400)
    expect(body.field).toBe('status')
  }
  // A form sends the expiry back as it was read.
  const renamed = { id: expired.id, name: 'older', expired_time: expired.expiredTime }
  expect((await owner.send('PUT', '/api/token/', renamed)).body.data.name).toBe('older')
  const extended = { id: expired.id, expired_time: now() + 100, status: 1 }
  expect((await owner.send('PUT', '/api/token/', extended)).body.data.status).toBe(1)
  const filled = { id, remain_quota: 10, status: 1 }
  expect((await owner.send('PUT', '/api/token/', filled)).body.data.status).toBe(1)
})

test('status_only changes the status and nothing else', async () => {
  const management = await startManagement()
  const { id } = await create(management)
  const input = { id, status: 2, name: 'ignored' }
  const { body } = await management.owner.send('PUT', '/api/token/?status_only=1', input)
  expect(body.data).toMatchObject({ status: 2, name: 'laptop' })
  const without = await management.owner.send('PUT', '/api/token/?status_only=true', { id })
  expect(without.body.field).toBe('status')
})

test('a record that is sent back as it was read changes nothing', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  gateway.parts.settings.update({
    GroupRatio: { default: 1, vip: 0.5 },
    UserUsableGroups: { vip: 'For some' },
  })
  const { id } = await create(management, {
    remain_quota: 10,
    day_budget: 5,
    budget_warning: 50,
    requests_per_minute: 60,
    tokens_per_minute: 100_000,
    model_limits_enabled: true,
    model_limits: 'a,b',
    allow_ips: '10.0.0.0/8\n::1',
    group: 'vip',
  })
  const before = gateway.parts.tokens.byId(id)
  const { data } = (await owner.get(`/api/token/${id}`)).body
  expect(data).toMatchObject({ model_limits: 'a,b', allow_ips: '10.0.0.0/8\n::1', group: 'vip' })
  expect((await owner.send('PUT', '/api/token/', data)).status).toBe(200)
  expect(gateway.parts.tokens.byId(id)).toEqual(before)
})

test.each([
  [{ name: '  ' }, { code: 'field_empty' }],
  [{ name: 'n'.repeat(51) }, { code: 'field_too_long', most: 50 }],
  [{ name: 'two\nlines' }, { code: 'field_one_line' }],
  [{ allow_ips: 'nowhere' }, { code: 'field_no_address', entry: 'nowhere' }],
  [{ day_budget: 0 }, { code: 'field_above_zero' }],
])('%j is refused with a reason that needs no reading of the sentence', async (fields, reason) => {
  const { owner } = await startManagement()
  const { body } = await owner.send('POST', '/api/token/', { name: 'x', ...fields })
  expect(body.reason).toEqual(reason)
})

test.each([
  [{ expired_time: 1000 }, 'expired_time'],
  [{ expired_time: -7 }, 'expired_time'],
  [{ expired_time: 999_999_999_999_999 }, 'expired_time'],
  [{ remain_quota: 500_000_000_000_001 }, 'remain_quota'],
  [{ model_limits: 'm'.repeat(1025) }, 'model_limits'],
  [{ allow_ips: '10.0.0.1\n300.1.1.1' }, 'allow_ips'],
  [{ allow_ips: '10.0.0.0/99' }, 'allow_ips'],
  [{ name: '  ' }, 'name'],
  [{ name: 'two\nlines' }, 'name'],
  [{ day_budget: 0 }, 'day_budget'],
  [{ month_budget: -1 }, 'month_budget'],
  [{ month_budget: 1.5 }, 'month_budget'],
  [{ requests_per_minute: 0 }, 'requests_per_minute'],
  [{ tokens_per_minute: -1 }, 'tokens_per_minute'],
  [{ tokens_per_minute: 2.5 }, 'tokens_per_minute'],
  [{ budget_warning: 0 }, 'budget_warning'],
  [{ budget_warning: 101 }, 'budget_warning'],
  [{ group: 'nobody' }, 'group'],
  [{ group: 'constructor' }, 'group'],
])('%j is refused at %s', async (fields, field) => {
  const { owner, gateway } = await startManagement()
  const { status, body } = await owner.send('POST', '/api/token/', { name: 'x', ...fields })
  expect(status).toBe(400)
  expect(body.field).toBe(field)
  expect(gateway.parts.tokens.all()).toHaveLength(0)
})

test('an expiry of 0 means never', async () => {
  expect((await create(await startManagement(), { expired_time: 0 })).expired_time).toBe(-1)
})

test('a token can be found by its name, or by its whole key', async () => {
  const management = await startManagement()
  const { key } = await create(management)
  await create(management, { name: 'desktop' })
  const { owner } = management
  const find = async (query: string) =>
    (await owner.get(`/api/token/search?${query}`)).body.data.items.map(
      ({ name }: { name: string }) => name,
    )
  expect(await find('keyword=laptop')).toEqual(['laptop'])
  expect(await find('keyword=lap')).toEqual([])
  expect(await find('keyword=lap%25')).toEqual(['laptop'])
  expect(await find('keyword=%25top%25')).toEqual(['desktop', 'laptop'])
  expect(await find(`token=${key}`)).toEqual(['laptop'])
  expect(await find(`token=${key.slice(3)}`)).toEqual(['laptop'])
})

test('searching for nearly everything is refused', () => {
  expect(() => matchesPattern('keyword', '%a%')).toThrow(/two other characters/)
  expect(() => matchesPattern('keyword', '%a%b%')).toThrow(/at most two/)
  expect(matchesPattern('keyword', 'ab%ba')('aba')).toBe(false)
  expect(matchesPattern('keyword', '')('anything')).toBe(true)
})

test('a deleted token is gone', async () => {
  const management = await startManagement()
  const { id } = await create(management)
  const { owner } = management
  expect((await owner.send('DELETE', `/api/token/${id}`)).status).toBe(200)
  expect((await owner.get(`/api/token/${id}`)).status).toBe(404)
  expect((await owner.send('DELETE', `/api/token/${id}`)).status).toBe(404)
})
