import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { disableFor } from '../../../../main/manage/channels/channel-guard.ts'
import type { Incident } from '../../../../main/manage/incidents/incident.ts'
import { Incidents } from '../../../../main/manage/incidents/incidents.ts'
import { raiseDisabled } from '../../../../main/manage/incidents/of-channels.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { type Reply, startUpstream } from '../../../support/upstreams/scripted-upstream.ts'

const QUIET = 600_000
const good: Reply = {
  body: {
    id: '1',
    object: 'chat.completion',
    model: 'model-a',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }],
    usage: { prompt_tokens: 1000, completion_tokens: 1000 },
  },
}
const refusal = (status: number, code: string): Reply => ({
  status,
  body: { error: { message: 'Incorrect API key provided', code } },
})

async function stage(answer: () => Reply | Promise<Reply>) {
  const upstream = await startUpstream(() => answer())
  const gateway = await startTestGateway()
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  gateway.set({ RetryTimes: 0 })
  const channel = gateway.addChannel({ name: 'Vendor', baseUrl: upstream.url })
  const heard: Incident[] = []
  gateway.parts.incidents.on((incident) => heard.push(incident))
  return { gateway, channel, heard }
}

async function call({ url, key }: TestGateway, own = key): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

describe('a refused key', () => {
  test.each([401, 403])('is told once with %d, however often it is refused', async (status) => {
    const { gateway, channel, heard } = await stage(() => refusal(status, 'denied'))
    for (let count = 0; count < 3; count++) {
      await call(gateway)
      gateway.parts.health.forget(channel.id)
    }
    expect(heard).toEqual([
      expect.objectContaining({ kind: 'key-refused', channelName: 'Vendor', status }),
    ])
    expect(JSON.stringify(heard)).not.toContain('vendor-key')
  })

  test('that also disables its channel is one incident, not two', async () => {
    const { gateway, channel, heard } = await stage(() => refusal(401, 'invalid_api_key'))
    gateway.set({ AutomaticDisableChannelEnabled: true, ChannelDisableFailures: 1 })
    await call(gateway)
    expect(gateway.parts.channels.byId(channel.id)?.status).toBe(3)
    expect(heard.map(({ kind }) => kind)).toEqual(['key-refused'])
  })

  test('is not what a vendor tells with 403 that wants money', async () => {
    const { gateway, heard } = await stage(() => refusal(403, 'AccountOverdueError'))
    gateway.set({ ChannelFailureCount: 1 })
    await call(gateway)
    await vi.waitFor(() => expect(heard.map(({ kind }) => kind)).toEqual(['channel']))
  })

  test('is not what Kimi tells with 403 of a plan that is used up', async () => {
    const message = "You've reached your usage limit for this billing cycle. Upgrade your plan."
    const error = { message, type: 'permission_error' }
    const { gateway, channel, heard } = await stage(() => ({ status: 403, body: { error } }))
    gateway.set({ ChannelFailureCount: 1, AutomaticDisableChannelEnabled: true })
    await call(gateway)
    await vi.waitFor(() => expect(heard.map(({ kind }) => kind)).toEqual(['channel']))
    // It comes back by itself.
    expect(gateway.parts.channels.byId(channel.id)?.status).toBe(1)
  })

  test('is told anew when its channel was given another key that is refused too', async () => {
    const { gateway, channel, heard } = await stage(() => refusal(401, 'invalid_api_key'))
    await call(gateway)
    gateway.parts.channels.update(channel.id, { key: 'another-key' })
    await call(gateway)
    expect(heard.map(({ kind }) => kind)).toEqual(['key-refused', 'key-refused'])
  })
})

describe('a channel that goes away', () => {
  test('is told once while its circuit opens again and again', async () => {
    const { gateway, heard } = await stage(() => ({ status: 500, body: { error: 'down' } }))
    gateway.set({ ChannelFailureCount: 1, ChannelCooldownSeconds: 1, ChannelCooldownMaxSeconds: 1 })
    await call(gateway)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await call(gateway)
    expect(heard).toEqual([
      expect.objectContaining({ kind: 'channel', how: 'cooling', channelName: 'Vendor' }),
    ])
  })

  test('because it was disabled is not over when a call that was under way is answered', async () => {
    let reply: Reply | Promise<Reply> = { status: 500, body: { error: 'down' } }
    const { gateway, channel, heard } = await stage(() => reply)
    const { parts, key } = gateway
    gateway.addChannel({ name: 'Other', baseUrl: channel.baseUrl })
    gateway.set({
      ...{ ChannelFailureCount: 1, ChannelCooldownSeconds: 1, ChannelCooldownMaxSeconds: 1 },
      AutomaticDisableChannelEnabled: true,
    })
    await call(gateway, `${key}-${channel.id}`)
    expect(heard).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    let answer = (_reply: Reply) => {}
    reply = new Promise((resolve) => (answer = resolve))
    const underWay = call(gateway, `${key}-${channel.id}`)
    await expect.poll(() => parts.openCalls.size).toBe(1)
    const reason = { code: 'balance_used_up', balance: 0 } as const
    disableFor(channel.id, { message: 'Nothing is left.', reason }, parts)
    expect(parts.channels.byId(channel.id)?.status).toBe(3)
    answer(good)
    expect(await underWay).toBe(200)
    const now = performance.now()
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now + QUIET)
    onTestFinished(() => later.mockRestore())
    raiseDisabled(channel, 'Nothing is left.', parts)
    expect(heard).toHaveLength(1)
  })

  test.each([
    [429, '20', []],
    [503, '20', []],
    [503, '600', [expect.objectContaining({ kind: 'channel', how: 'cooling' })]],
  ] as const)('for %d and a pause of %s s is told only where it lasts', async (...row) => {
    const [status, pause, told] = row
    const { gateway, heard } = await stage(() => ({
      status,
      headers: { 'retry-after': pause },
      body: { error: { message: 'Slow down' } },
    }))
    await call(gateway)
    expect(heard).toEqual(told)
  })
})

describe('money that is used up', () => {
  const priced = { ModelPrice: { 'model-a': 0.002 }, PreConsumedQuota: 0 }

  test('a budget of a day is told once, and again only for another limit', async () => {
    const { gateway, heard } = await stage(() => good)
    gateway.set(priced)
    const token = gateway.addToken({ name: 'laptop', dayBudget: 1_500 })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push(await call(gateway, token.full))
    expect(statuses.at(-1)).toBe(403)
    expect(heard).toEqual([
      expect.objectContaining({ kind: 'budget', what: 'day-budget', name: 'laptop' }),
    ])
    gateway.parts.tokens.update(token.id, { dayBudget: 2_500 })
    for (let count = 0; count < 3; count++) await call(gateway, token.full)
    expect(heard).toHaveLength(2)
  })

  test('of two budgets the one is told that has too little left for a call', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 9, 14, 12) })
    onTestFinished(() => void vi.useRealTimers())
    const { gateway, heard } = await stage(() => good)
    gateway.set(priced)
    const budgets = { dayBudget: 1_200, monthBudget: 1_900 }
    const token = gateway.addToken({ name: 'laptop', budgetWarning: 100, ...budgets })
    expect(await call(gateway, token.full)).toBe(200)
    vi.setSystemTime(new Date(2026, 9, 15, 12))
    expect(await call(gateway, token.full)).toBe(403)
    expect(heard).toMatchObject([{ what: 'month-budget', name: 'laptop' }])
  })

  test('a token’s quota is told when a call is refused for it', async () => {
    const { gateway, heard } = await stage(() => good)
    gateway.set(priced)
    const token = gateway.addToken({ name: 'old', unlimitedQuota: false, grantedQuota: 0 })
    await call(gateway, token.full)
    await call(gateway, token.full)
    expect(heard).toEqual([expect.objectContaining({ what: 'token-quota', name: 'old' })])
  })

  test('tokens of other users, who set their limits themselves, are not told to the owner', async () => {
    const { gateway, heard } = await stage(() => good)
    gateway.set({ ...priced, SelfUseModeEnabled: false })
    const { id: userId } = gateway.parts.users.create({ username: 'eve', quota: 1_000_000_000 })
    const budget = gateway.addToken({ userId, name: 'budget', dayBudget: 1 })
    const quota = gateway.addToken({ userId, name: 'q', unlimitedQuota: false, grantedQuota: 0 })
    for (const token of [budget, budget, quota]) await call(gateway, token.full)
    expect(gateway.rows().filter(({ type }) => type === 5).length).toBeGreaterThan(0)
    expect(heard).toEqual([])
  })
})

describe('one cause', () => {
  const incident = (cause: string): Incident => ({
    kind: 'budget',
    what: 'day-budget',
    name: 'x',
    cause,
  })

  test('that comes and goes within minutes is told once, and anew after a quiet time', () => {
    let now = 0
    let told = 0
    const incidents = new Incidents(() => now)
    incidents.on(() => told++)
    for (let round = 0; round < 20; round++) {
      incidents.raise(incident('a'))
      now += 60_000
      incidents.resolve('a')
      now += QUIET - 1
    }
    expect(told).toBe(1)
    now += 2
    incidents.raise(incident('a'))
    expect(told).toBe(2)
  })

  test('is told anew once a thousand others have come, which are all that is remembered', () => {
    const told: string[] = []
    const incidents = new Incidents(() => 0)
    incidents.on(({ cause }) => told.push(cause))
    for (let count = 0; count <= 1_000; count++) incidents.raise(incident(`cause ${count}`))
    expect(told).toHaveLength(1_001)
    incidents.raise(incident('cause 1'))
    incidents.raise(incident('cause 0'))
    expect(told.slice(1_001)).toEqual(['cause 0'])
  })

  test('is not resolved later by hearing again that it is', () => {
    let now = 0
    let told = 0
    const incidents = new Incidents(() => now)
    incidents.on(() => told++)
    incidents.raise(incident('a'))
    incidents.resolve('a')
    now = QUIET
    incidents.resolve('a')
    incidents.raise(incident('a'))
    expect(told).toBe(2)
  })
})
