import { expect, test } from 'vitest'
import { eventRow } from '../../../../main/manage/calls/event-row.ts'
import { type Management, startManagement } from '../management.ts'

const create = async ({ owner }: Management, fields: Record<string, unknown> = {}) =>
  (await owner.send('POST', '/api/token/', { name: 'laptop', ...fields })).body.data

const get = async ({ owner }: Management, id: number) =>
  (await owner.get(`/api/token/${id}`)).body.data

/** Books a call of a token's that used so many units just now. */
function use({ gateway }: Management, tokenId: number, quota: number) {
  const user = { id: 1, username: 'ada', group: 'default' }
  const event = { message: '', reason: { code: 'audit_ratios_reset' } } as const
  const row = eventRow(4, user, event, { requestId: 'r', ip: '', quota })
  return gateway.parts.ledger.record({ ...row, type: 2, model: 'echo', tokenId, tokenName: 't' })
}

test('a token without budgets says so', async () => {
  const management = await startManagement()
  const { id } = await create(management)
  expect(await get(management, id)).toMatchObject({
    day_budget: null,
    month_budget: null,
    budget_warning: 80,
    day_used: 0,
    month_used: 0,
    budget_state: null,
    cross_group_retry: false,
    requests_per_minute: null,
    tokens_per_minute: null,
  })
})

test('what a token may ask and use in a minute is set, and taken away with null', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const { id } = await create(management, { requests_per_minute: 60, tokens_per_minute: 100_000 })
  expect(await get(management, id)).toMatchObject({
    requests_per_minute: 60,
    tokens_per_minute: 100_000,
  })
  await owner.send('PUT', '/api/token', { id, tokens_per_minute: null })
  expect(await get(management, id)).toMatchObject({
    requests_per_minute: 60,
    tokens_per_minute: null,
  })
  expect(gateway.parts.tokens.byId(id)).toMatchObject({ requestsPerMinute: 60 })
})

test('a budget tells how much of it is used, first with a warning and then at its end', async () => {
  const management = await startManagement()
  const { owner } = management
  const { id } = await create(management, { day_budget: 100, month_budget: 1000 })
  await use(management, id, 79)
  expect(await get(management, id)).toMatchObject({ day_used: 79, budget_state: 'ok' })
  await use(management, id, 1)
  expect(await get(management, id)).toMatchObject({ month_used: 80, budget_state: 'warning' })
  await use(management, id, 20)
  expect(await get(management, id)).toMatchObject({ day_used: 100, budget_state: 'exhausted' })

  // The nearer end counts, and null takes a budget away.
  await owner.send('PUT', '/api/token', { id, day_budget: null })
  expect(await get(management, id)).toMatchObject({ day_budget: null, budget_state: 'ok' })
  await owner.send('PUT', '/api/token', { id, budget_warning: 10 })
  expect(await get(management, id)).toMatchObject({ month_budget: 1000, budget_state: 'warning' })
})

test('a token goes into groups that its user may use, and no others', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  gateway.parts.settings.update({
    GroupRatio: { default: 1, vip: 0.5, staff: 0 },
    UserUsableGroups: { vip: 'For some' },
  })
  expect((await create(management, { group: 'vip' })).group).toBe('vip')
  expect((await create(management, { group: 'default' })).group).toBe('default')
  const refused = await owner.send('POST', '/api/token', { name: 'x', group: 'staff' })
  expect(refused.status).toBe(400)
  expect(refused.body.message).toMatch(/"staff".*default|vip/)

  // A group that was taken away does not keep the rest from being changed.
  gateway.parts.settings.update({ UserUsableGroups: {} })
  const renamed = await owner.send('PUT', '/api/token', { id: 1, group: 'vip', name: 'renamed' })
  expect(renamed.body.data).toMatchObject({ group: 'vip', name: 'renamed' })
  const { body } = await owner.send('PUT', '/api/token', { id: 2, group: 'vip' })
  expect(body.field).toBe('group')
})

test('going on to the next group is kept only with the group auto', async () => {
  const management = await startManagement()
  const { owner } = management
  const { id, ...auto } = await create(management, { group: 'auto', cross_group_retry: true })
  expect(auto).toMatchObject({ group: 'auto', cross_group_retry: true })
  expect((await create(management, { cross_group_retry: true })).cross_group_retry).toBe(false)
  const moved = await owner.send('PUT', '/api/token', { id, group: 'default' })
  expect(moved.body.data.cross_group_retry).toBe(false)
})

test('DefaultUseAutoGroup puts new tokens into the group auto, unless they name another', async () => {
  const management = await startManagement()
  management.gateway.parts.settings.update({ DefaultUseAutoGroup: true })
  expect((await create(management)).group).toBe('auto')
  expect((await create(management, { group: '' })).group).toBe('')
  // Without anything to try there is no such group.
  management.gateway.parts.settings.update({ AutoGroups: [] })
  expect((await create(management)).group).toBe('')
})

test('a user has no more tokens than the option allows', async () => {
  const management = await startManagement()
  management.gateway.parts.settings.update({ 'token_setting.max_user_tokens': 1 })
  await create(management)
  const { status, body } = await management.owner.send('POST', '/api/token', { name: 'two' })
  expect(status).toBe(409)
  expect(body).toMatchObject({ code: 'conflict' })
  expect(body.message).toMatch(/You have 1 /)
})

test('several tokens are deleted at once, each counted once, and nobody else’s', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const { id: one } = await create(management)
  const { id: two } = await create(management)
  const { id: kept } = await create(management)
  const bob = gateway.parts.users.create({ username: 'bob' })
  const foreign = gateway.parts.tokens.create({ userId: bob.id, name: 'foreign' })
  const ids = [one, two, two, foreign.id, 999]
  const { body } = await owner.send('POST', '/api/token/batch', { ids })
  expect(body.data).toBe(2)
  expect(gateway.parts.tokens.all().map(({ id }) => id)).toEqual([kept, foreign.id])
})

test('several keys are shown at once, of one’s own tokens only', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const one = await create(management)
  const two = await create(management)
  const bob = gateway.parts.users.create({ username: 'bob' })
  const foreign = gateway.parts.tokens.create({ userId: bob.id, name: 'foreign' })
  const { body } = await owner.send('POST', '/api/token/batch/keys', {
    ids: [one.id, two.id, foreign.id],
  })
  expect(body.data).toEqual({ keys: { [one.id]: one.key, [two.id]: two.key } })
})

test.each([
  ['/api/token/batch', [], /at least one/],
  ['/api/token/batch', 'all', /must be a list/],
  ['/api/token/batch', [1, -2], /at least 1/],
  ['/api/token/batch', Array.from({ length: 1001 }, (_, index) => index + 1), /at most 1000/],
  ['/api/token/batch/keys', Array.from({ length: 101 }, (_, index) => index + 1), /at most 100/],
])('%s refuses the ids %j', async (path, ids, sentence) => {
  const { owner } = await startManagement()
  const { status, body } = await owner.send('POST', path, { ids })
  expect(status).toBe(400)
  expect(body.field).toMatch(/^ids/)
  expect(body.message).toMatch(sentence)
})

test('aliases that a tool left behind are removed by the owner, but none is added or changed', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const { id } = await create(management, { model_aliases: { own: 'gpt-5' } })
  expect(await get(management, id)).toMatchObject({ model_aliases: {} })
  const aliases = { 'claude-via-gpt-5': 'gpt-5', 'claude-via-glm-5': 'glm-5' }
  gateway.parts.tokens.update(id, { modelAliases: aliases })
  // Read-only: a whole map would take away what Connect adds meanwhile.
  await owner.send('PUT', '/api/token', { id, model_aliases: { other: 'gpt-5' } })
  expect(await get(management, id)).toMatchObject({ model_aliases: aliases })
  const kept = { 'claude-via-glm-5': 'glm-5' }
  await owner.send('PUT', '/api/token', { id, remove_aliases: ['claude-via-gpt-5', 'gone'] })
  expect(await get(management, id)).toMatchObject({ model_aliases: kept })
  await owner.send('PUT', '/api/token', { id, name: 'renamed' })
  expect(await get(management, id)).toMatchObject({ name: 'renamed', model_aliases: kept })
})

test('a token is saved as it was read though Connect has changed its aliases since', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const { id } = await create(management, {})
  const left = { 'claude-via-glm-5': 'glm-5' }
  gateway.parts.tokens.update(id, { modelAliases: { 'claude-via-gpt-5': 'gpt-5' } })
  const read = await get(management, id)
  gateway.parts.tokens.update(id, { modelAliases: left })
  const { status } = await owner.send('PUT', '/api/token', { ...read, name: 'renamed' })
  expect(status).toBe(200)
  expect(await get(management, id)).toMatchObject({ name: 'renamed', model_aliases: left })
})
