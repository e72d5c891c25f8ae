import { describe, expect, onTestFinished, test } from 'vitest'
import { type Reply, startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const KEY = 'sk-vendor-0123456789abcdef'
const [MOONSHOT, SILICON_FLOW, OPEN_ROUTER, DEEP_SEEK] = [25, 40, 20, 43] as const

async function withUpstream() {
  const [management, upstream] = await Promise.all([startManagement(), startUpstream()])
  onTestFinished(() => upstream.close())
  const add = (type: number, fields: object = {}) =>
    management.gateway.parts.channels.create({
      type,
      name: 'Vendor',
      key: KEY,
      baseUrl: upstream.url,
      models: ['gpt-a'],
      ...fields,
    }).id
  return { ...management, upstream, add }
}

const ask = ({ owner }: Management, id: number) => owner.get(`/api/channel/update_balance/${id}`)

describe('the balance of a channel', () => {
  test('is asked for as each vendor wants it, and kept in dollars', async () => {
    const management = await withUpstream()
    const { upstream, gateway } = management
    gateway.parts.settings.update({ USDExchangeRate: 7 })
    const infos = [
      { currency: 'CNY', total_balance: '70.00', granted_balance: '0', topped_up_balance: '70.00' },
      { currency: 'USD', total_balance: '1.25', granted_balance: '0', topped_up_balance: '1.25' },
    ]
    const cases: [number, object, string, number][] = [
      [DEEP_SEEK, { is_available: true, balance_infos: infos }, '/user/balance', 11.25],
      [
        MOONSHOT,
        { code: 0, data: { available_balance: -1.5, cash_balance: -1.5 } },
        '/v1/users/me/balance',
        -1.5,
      ],
      [OPEN_ROUTER, { data: { total_credits: 100.5, total_usage: 25.25 } }, '/v1/credits', 75.25],
    ]
    for (const [type, body, path, balance] of cases) {
      const id = management.add(type)
      upstream.script({ body })
      const answer = await ask(management, id)
      expect([answer.status, answer.body]).toEqual([200, { success: true, message: '', balance }])
      expect(upstream.last().url).toBe(path)
      expect(upstream.last().headers.authorization).toBe(`Bearer ${KEY}`)
      const kept = gateway.parts.channels.byId(id)
      expect(kept?.balance).toBe(balance)
      expect(kept?.balanceUpdatedTime).toBeGreaterThan(0)
    }
    const several = management.add(DEEP_SEEK)
    upstream.script({ body: { balance_infos: [...infos, ...infos] } })
    expect((await ask(management, several)).body).toMatchObject({ balance: 22.5 })
    // A base URL with its version is the same place.
    const id = management.add(DEEP_SEEK, { baseUrl: `${upstream.url}/v1` })
    upstream.script({ body: { balance_infos: infos.slice(1) } })
    expect((await ask(management, id)).body).toMatchObject({ balance: 1.25 })
    expect(upstream.last().url).toBe('/user/balance')
  })

  test('of an OpenRouter key without rights is what that key has left', async () => {
    const management = await withUpstream()
    const { upstream } = management
    const id = management.add(OPEN_ROUTER)
    const refusal = {
      status: 403,
      body: { error: { message: `Only management keys, not ${KEY}`, code: 403 } },
    }
    upstream.script(refusal, { body: { data: { limit: 100, limit_remaining: 74.5 } } })
    expect((await ask(management, id)).body).toMatchObject({ success: true, balance: 74.5 })
    upstream.script(refusal, { body: { data: { limit: null, limit_remaining: null } } })
    const { status, body } = await ask(management, id)
    expect([status, body.code]).toEqual([502, 'upstream_error'])
    expect(body.message).toMatch(/403: "Only management keys, not \*\*\*/)
  })

  test('that cannot be had is refused with the reason', async () => {
    const management = await withUpstream()
    const { upstream } = management
    const noCall = await ask(management, management.add(14))
    expect([noCall.status, noCall.body.code]).toEqual([400, 'invalid_params'])
    expect(noCall.body.message).toMatch(/^Anthropic has no API for balances/)
    expect((await ask(management, management.add(SILICON_FLOW))).body.message).toMatch(/^Silicon/)
    expect(upstream.requests).toEqual([])
    const several = management.add(DEEP_SEEK, { key: 'a\nb', multiKeyMode: 'random' })
    expect((await ask(management, several)).body).toMatchObject({ code: 'conflict' })
    upstream.script({ body: { hello: 'world' } })
    const odd = await ask(management, management.add(DEEP_SEEK))
    expect([odd.status, odd.body.code]).toEqual([502, 'upstream_error'])
    const empty = management.add(DEEP_SEEK)
    upstream.script({ body: { balance_infos: [{ currency: 'USD', total_balance: '' }] } })
    expect((await ask(management, empty)).status).toBe(502)
    expect((await ask(management, 99)).status).toBe(404)
  })
})

test('of all channels at once: what has nothing left is disabled, the rest goes on', async () => {
  const { add, owner, gateway } = await withUpstream()
  const vendor = await startUpstream(({ url }) =>
    url === '/v1/users/me/balance'
      ? { body: { data: { available_balance: 0 } } }
      : { status: 500, body: {} },
  )
  onTestFinished(() => vendor.close())
  gateway.parts.settings.update({ AutomaticDisableChannelEnabled: true })
  const at = { baseUrl: vendor.url }
  const channels = [
    add(MOONSHOT, at),
    add(DEEP_SEEK, at),
    add(MOONSHOT, { ...at, status: 2 }),
    add(14, at),
  ]
  const { status, body } = await owner.get('/api/channel/update_balance')
  expect([status, body.success, body.data]).toEqual([200, true, undefined])
  expect(vendor.requests.map(({ url }) => url).sort()).toEqual([
    '/user/balance',
    '/v1/users/me/balance',
  ])
  const statuses = channels.map((id) => gateway.parts.channels.byId(id)?.status)
  expect(statuses).toEqual([3, 1, 2, 1])
  const info = gateway.parts.channels.byId(channels[0] ?? 0)?.otherInfo ?? ''
  expect(JSON.parse(info).status_reason).toBe('The balance at the vendor is 0 USD')
})

test('a channel that is deleted while its vendor is asked is no error', async () => {
  const management = await withUpstream()
  const { gateway, add } = management
  let tell = (_reply: Reply) => {}
  const told = new Promise<Reply>((resolve) => {
    tell = resolve
  })
  const vendor = await startUpstream(() => told)
  onTestFinished(() => vendor.close())
  const id = add(OPEN_ROUTER, { baseUrl: vendor.url })
  const answer = ask(management, id)
  await expect.poll(() => vendor.requests).toHaveLength(1)
  gateway.parts.channels.remove([id])
  tell({ body: { data: { total_credits: 5, total_usage: 1 } } })
  expect((await answer).body).toEqual({ success: true, message: '', balance: 4 })
})
