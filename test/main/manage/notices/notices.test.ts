import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { echoChannel, type Management, startManagement } from '../management.ts'
import { type Person, signInAs } from '../users/people.ts'

/** A gateway that may send notices to this machine, and a receiver of them. */
async function stage(): Promise<{ management: Management; receiver: ScriptedUpstream }> {
  const receiver = await startUpstream(() => ({ status: 200, body: 'the inner secret' }))
  onTestFinished(() => receiver.close())
  const mayFetchFrom = (address: string) => address === '127.0.0.1'
  const management = await startManagement({ mayFetchFrom })
  management.gateway.parts.settings.update({
    'fetch_setting.allowed_ports': [],
    SelfUseModeEnabled: false,
    // 1000 units a call.
    ModelPrice: { echo: 0.002 },
    PreConsumedQuota: 0,
  })
  await management.owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel() })
  return { management, receiver }
}

const setting = (receiver: ScriptedUpstream, fields: object = {}) => ({
  notify_type: 'webhook',
  quota_warning_threshold: 9000,
  webhook_url: `${receiver.url}/hook`,
  webhook_secret: 'hush-hush',
  ...fields,
})

const untilCount = async (receiver: ScriptedUpstream, count: number): Promise<void> => {
  for (let tries = 0; tries < 1000 && receiver.requests.length < count; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(receiver.requests.length).toBe(count)
}

const typesOf = ({ requests }: ScriptedUpstream): unknown[] =>
  requests.map((one) => (one.json() as { type: string }).type)

/** Makes one call. */
async function use({ gateway }: Management, { id }: Person, fields: object = {}): Promise<void> {
  const token = gateway.parts.tokens.create({
    userId: id,
    name: 'laptop',
    unlimitedQuota: true,
    ...fields,
  })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}` },
    body: JSON.stringify({
      model: 'echo',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
}

describe('a notice that is tried out', () => {
  test('arrives signed, and its receiver is named; what it answered is not told', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob' })
    expect((await bob.send('PUT', '/api/user/setting', setting(receiver))).status).toBe(200)
    const { status, body } = await bob.send('POST', '/api/user/setting/test', {})
    const { host } = new URL(receiver.url)
    expect([status, body.data]).toEqual([200, { sent_to: host, milliseconds: expect.any(Number) }])
    const { headers, body: bytes } = receiver.last()
    const signature = createHmac('sha256', 'hush-hush').update(bytes).digest('hex')
    expect([headers['x-webhook-signature'], typesOf(receiver)]).toEqual([signature, ['test']])
    expect(JSON.stringify(body)).not.toContain('inner secret')
  })

  test('says why it does not, once, and tries nothing again', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob' })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    receiver.script({ status: 500, body: 'the inner secret' })
    const { status, body } = await bob.send('POST', '/api/user/setting/test', {})
    expect([status, body.code, receiver.requests.length]).toEqual([502, 'upstream_error', 1])
    expect(body.message).toBe('The notice was not delivered: 127.0.0.1 answered 500.')
  })

  test('is refused where e-mail is chosen, which is not offered', async () => {
    const { owner } = await startManagement()
    const email = { notify_type: 'email', quota_warning_threshold: 1 }
    const kept = await owner.send('PUT', '/api/user/setting', email)
    expect([kept.status, kept.body.message]).toEqual([200, expect.stringContaining('not offered')])
    const { status, body } = await owner.send('POST', '/api/user/setting/test', {})
    expect([status, body.field]).toEqual([400, 'notify_type'])
    expect(body.message).toContain('E-mail is not offered here')
    const address = { ...email, notification_email: 'ada@example.org' }
    const refused = await owner.send('PUT', '/api/user/setting', address)
    expect([refused.status, refused.body.field]).toEqual([400, 'notify_type'])
  })

  test('does not reach what its user may not name, though a name leads there', async () => {
    const management = await startManagement()
    management.gateway.parts.settings.update({ 'fetch_setting.allowed_ports': [] })
    const bob = await signInAs(management, { username: 'bob' })
    const inner = { ...{ notify_type: 'webhook', quota_warning_threshold: 1 } }
    const webhook_url = `http://${new URL(management.gateway.url).host}/api/status`
    const put = await bob.send('PUT', '/api/user/setting', { ...inner, webhook_url })
    expect([put.status, put.body.field]).toEqual([400, 'webhook_url'])
    // As a name does that was public when it was entered.
    const kept = JSON.stringify({ ...inner, webhook_url })
    management.gateway.parts.users.update(bob.id, { setting: kept })
    const { status, body } = await bob.send('POST', '/api/user/setting/test', {})
    expect([status, body.message]).toEqual([
      502,
      'The notice was not delivered: 127.0.0.1 does not lead to a public address.',
    ])
  })

  test.each([
    ['a user', 1],
    ['an administrator', 10],
  ] as const)('of %s reaches nothing in the owner’s network', async (_, role) => {
    const receiver = await startUpstream(() => ({ body: '' }))
    onTestFinished(() => receiver.close())
    const management = await startManagement()
    management.gateway.parts.settings.update({ 'fetch_setting.allowed_ports': [] })
    const bob = await signInAs(management, { username: 'bob', role })
    const kept = JSON.stringify(setting(receiver))
    management.gateway.parts.users.update(bob.id, { setting: kept })
    expect((await bob.send('POST', '/api/user/setting/test', {})).status).toBe(502)
    expect(receiver.requests).toHaveLength(0)
  })
})

describe('a user is told outside the console', () => {
  test('that little is left, once for each time that it becomes little', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob', quota: 9_500 })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    await use(management, bob)
    await untilCount(receiver, 1)
    const { type, content, values } = receiver.last().json() as Record<string, unknown>
    expect([type, values]).toEqual(['quota_exceed', [8_500, 9_000]])
    expect(content).toMatch(
      /^The user "bob" has \$0\.017 left, less than the warning level of \$0\.018/,
    )
    await use(management, bob)
    management.gateway.parts.users.update(bob.id, { quota: 11_500 })
    await use(management, bob)
    await untilCount(receiver, 2)
    expect((receiver.last().json() as { values: unknown }).values).toEqual([8_500, 9_000])
  })

  test('that a token’s budget is nearly used up', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob', quota: 10_000_000 })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    await use(management, bob, { dayBudget: 1_500, budgetWarning: 50 })
    await untilCount(receiver, 1)
    const { type, title } = receiver.last().json() as Record<string, unknown>
    expect([type, title]).toEqual(['budget_warning', 'The budget of "laptop" is running out'])
  })

  test('that a channel was disabled', async () => {
    const { management, receiver } = await stage()
    const { owner, gateway } = management
    await owner.send('PUT', '/api/user/setting', setting(receiver))
    gateway.parts.settings.update({
      AutomaticDisableChannelEnabled: true,
      ChannelDisableFailures: 1,
    })
    const vendor = await startUpstream(() => ({
      status: 401,
      body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
    }))
    onTestFinished(() => vendor.close())
    const fields = { type: 1, key: 'k', baseUrl: vendor.url, models: ['echo'], groups: ['default'] }
    gateway.parts.channels.create({ ...fields, name: 'Vendor', priority: 9 })
    await use(management, { id: 1 } as Person)
    await untilCount(receiver, 1)
    const { type, content } = receiver.last().json() as Record<string, string>
    expect([type, content]).toEqual(['channel_update', expect.stringContaining('"Vendor"')])
  })
})

describe('a receiver that is down', () => {
  test('is tried again, and no call waits for it', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob', quota: 9_500 })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    receiver.script({ ending: 'reset-before-headers' })
    await use(management, bob)
    await untilCount(receiver, 2)
    expect(receiver.requests[0]?.body).toHaveLength(receiver.requests[1]?.body.length ?? 0)
  })

  test('or that refuses for good is told of once, in the user’s own log', async () => {
    const { management, receiver } = await stage()
    const { gateway } = management
    const bob = await signInAs(management, { username: 'bob' })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    receiver.script({ status: 404 }, { status: 404 })
    const notice = { type: 'test', title: 'A', content: 'B' } as const
    gateway.parts.notices.add(bob.id, notice)
    gateway.parts.notices.add(bob.id, notice)
    await untilCount(receiver, 2)
    const told = async () =>
      (await bob.get('/api/log/self?p=1&page_size=20&type=4')).body.data.items.map(
        (one: { content: string }) => one.content,
      )
    for (let tries = 0; tries < 100 && (await told()).length === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await told()).toEqual([
      expect.stringMatching(/^A notice to "bob" was not delivered: the receiver answered 404\./),
    ])
  })

  test('is told of again when it fails anew after it had worked', async () => {
    const { management, receiver } = await stage()
    const { gateway } = management
    const bob = await signInAs(management, { username: 'bob' })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    receiver.script({ status: 404 }, { status: 200 }, { status: 410 })
    const told = async () =>
      (await bob.get('/api/log/self?p=1&page_size=20&type=4')).body.data.items.map(
        (one: { content: string }) => /answered (\d+)/.exec(one.content)?.[1],
      )
    for (const count of [1, 2, 3]) {
      gateway.parts.notices.add(bob.id, { type: 'test', title: 'A', content: 'B' })
      await untilCount(receiver, count)
      await expect.poll(told).toHaveLength(Math.ceil(count / 2))
    }
    expect(await told()).toEqual(['410', '404'])
  })

  test('does not make a queue without an end', async () => {
    const { management, receiver } = await stage()
    const bob = await signInAs(management, { username: 'bob' })
    await bob.send('PUT', '/api/user/setting', setting(receiver))
    const { notices } = management.gateway.parts
    for (let one = 0; one < 100; one++) {
      notices.add(bob.id, { type: 'test', title: String(one), content: 'B' })
    }
    await management.owner.send('PUT', '/api/user/setting', setting(receiver))
    notices.add(1, { type: 'test', title: 'the last of all', content: 'B' })
    const titles = () => receiver.requests.map((one) => (one.json() as { title: string }).title)
    for (let tries = 0; tries < 1000 && !titles().includes('the last of all'); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(receiver.requests).toHaveLength(31)
  })
})
