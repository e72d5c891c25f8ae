import { expect, onTestFinished, test, vi } from 'vitest'
import { holdClock } from '../account/authenticator.ts'
import { type Management, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

const now = () => Math.floor(Date.now() / 1000)

const make = async ({ owner }: Management, count = 1) =>
  (await owner.send('POST', '/api/redemption/', { name: 'gift', count, quota: 700 })).body
    .data as string[]

const BOB = { authorization: 'Bearer bobs-access-token' }

async function startWithBob() {
  const management = await startManagement()
  management.gateway.parts.users.create({ username: 'bob', accessToken: 'bobs-access-token' })
  const visitor = management.visitor()
  const redeem = (key: string) => visitor.send('POST', '/api/user/topup', { key }, BOB)
  const balance = async () => (await visitor.get('/api/user/self', BOB)).body.data.quota
  return { management, visitor, redeem, balance }
}

test('a code credits its units to who redeems it, and says so in the log without the code', async () => {
  const { management, visitor, redeem, balance } = await startWithBob()
  const [key = ''] = await make(management)
  const { status, body } = await redeem(`  ${key.toUpperCase()} `)
  expect(status).toBe(200)
  expect(body.data).toBe(700)
  expect(await balance()).toBe(700)
  const { items } = (await visitor.get('/api/log/self?type=1', BOB)).body.data
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ type: 1, quota: 700, username: 'bob' })
  expect(JSON.stringify(items)).not.toContain(key)
})

test('who cannot redeem is told why', async () => {
  const { management, redeem, balance } = await startWithBob()
  const [used = '', disabled = '', expired = ''] = await make(management, 3)
  await redeem(used)
  const change = { id: 2, status: 2 }
  await management.owner.send('PUT', '/api/redemption/?status_only=1', change)
  management.gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE redemption_codes SET expired_time = ? WHERE id = 3', now() - 10),
  )
  for (const [key, status, code] of [
    ['0'.repeat(32), 404, 'not_found'],
    [used, 409, 'already_used'],
    [disabled, 409, 'disabled'],
    [expired, 409, 'expired'],
    ['', 400, 'invalid_params'],
  ] as const) {
    const answer = await redeem(key)
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([status, code, 'key'])
  }
  expect(await balance()).toBe(700)
})

test('a code can be redeemed to the end of its last second, and not after', async () => {
  const { management, redeem } = await startWithBob()
  const [last = '', late = ''] = await make(management, 2)
  const time = now() + 1000
  management.gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE redemption_codes SET expired_time = ?', time),
  )
  vi.useFakeTimers({ toFake: ['Date'], now: time * 1000 + 999 })
  onTestFinished(() => void vi.useRealTimers())
  expect((await redeem(last)).status).toBe(200)
  vi.setSystemTime(time * 1000 + 1000)
  expect((await redeem(late)).body.code).toBe('expired')
})

test('an administrator makes codes for users, but redeems none, not even the owner’s', async () => {
  const { management, redeem, balance } = await startWithBob()
  const admin = await signInAs(management, { username: 'eve', role: 10 })
  const own = { name: 'gift', count: 1, quota: 9_000_000 }
  const [made = ''] = (await admin.send('POST', '/api/redemption/', own)).body.data
  const [given = ''] = await make(management)
  for (const key of [made, given]) {
    const { status, body } = await admin.send('POST', '/api/user/topup', { key })
    expect([status, body.code, body.field]).toEqual([403, 'forbidden', 'key'])
    expect(body.message).toContain('Ask the owner')
  }
  expect((await admin.get('/api/user/self')).body.data.quota).toBe(0)
  expect((await redeem(made)).status).toBe(200)
  expect(await balance()).toBe(9_000_000)
  const forOwner = await management.owner.send('POST', '/api/user/topup', { key: given })
  expect([forOwner.status, forOwner.body.data]).toEqual([200, 700])
})

test('nobody redeems without signing in, and a stranger learns nothing of a code', async () => {
  const { management } = await startWithBob()
  const [key] = await make(management)
  const stranger = management.visitor()
  for (const one of [key, 'wrong']) {
    const { status, body } = await stranger.send('POST', '/api/user/topup', { key: one })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  }
})

test('fifty who redeem one code at once are credited once', async () => {
  const management = await startManagement()
  const [key] = await make(management)
  const { users } = management.gateway.parts
  // Each of another account: the limit of one account is lower.
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const accessToken = `access-token-${index}`
      users.create({ username: `user${index}`, accessToken })
      const headers = { authorization: accessToken }
      return management.visitor().send('POST', '/api/user/topup', { key }, headers)
    }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'already_used')).toHaveLength(49)
  const { ledger } = management.gateway.parts
  const credited = users.all().map(({ id }) => ledger.credited(id))
  expect(credited.reduce((sum, units) => sum + units, 0)).toBe(700)
  const { body } = await management.owner.get('/api/log/?type=1')
  expect(body.data.total).toBe(1)
})

test('guessing is stopped after twenty tries', async () => {
  const { redeem } = await startWithBob()
  for (let turn = 0; turn < 20; turn++) expect((await redeem(`guess ${turn}`)).status).toBe(404)
  const { status, headers } = await redeem('guess')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(30)
})

test('who was stopped waits no longer because the clock was set back', async () => {
  const clock = holdClock()
  const { redeem } = await startWithBob()
  for (let turn = 0; turn < 21; turn++) await redeem(`guess ${turn}`)
  expect((await redeem('guess')).status).toBe(429)
  clock.advance(-86_400)
  expect((await redeem('guess')).status).toBe(404)
})

test('a code that would be more than anyone can have stays good', async () => {
  const { management, redeem, balance } = await startWithBob()
  const input = { name: 'huge', count: 2, quota: 500_000_000_000_000 }
  const [one = '', other = ''] = (await management.owner.send('POST', '/api/redemption/', input))
    .body.data
  expect((await redeem(one)).status).toBe(200)
  expect((await redeem(other)).body.code).toBe('conflict')
  expect(await balance()).toBe(500_000_000_000_000)
  expect((await management.owner.get('/api/redemption/2')).body.data.status).toBe(1)
})

test('what was credited is there after a restart of the ledger', async () => {
  const { management, redeem } = await startWithBob()
  const [key = ''] = await make(management)
  await redeem(key)
  const { ledger, dataFolder } = management.gateway.parts
  ledger.close()
  const { openLedger } = await import('../../../../main/store/ledger/open-ledger.ts')
  const again = await openLedger(`${dataFolder}/ledger.db`)
  expect(again.credited(2)).toBe(700)
  again.close()
})
