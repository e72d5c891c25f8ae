import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  creemSignature,
  paidSession,
  startPaymentStage,
  stripeSignature,
} from '../manage/payment/payment-stage.ts'

/** An event that is none of ours. */
const events = {
  stripe: JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.created',
    livemode: false,
    data: { object: {} },
  }),
  creem: JSON.stringify({ id: 'evt_1', eventType: 'subscription.paid', object: {} }),
} as const

const signatures = {
  stripe: { 'stripe-signature': stripeSignature(events.stripe) },
  creem: { 'creem-signature': creemSignature(events.creem) },
} as const

describe.each(['stripe', 'creem'] as const)('the webhook of %s', (provider) => {
  const path = `/api/${provider}/webhook`
  const event = events[provider]
  const signed = signatures[provider] as Record<string, string>

  test('takes any content type, any origin, no session, and a slash at its end', async () => {
    const stage = await startPaymentStage()
    const ways: Record<string, string>[] = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { origin: 'https://elsewhere.example.com', 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of ways) {
      const answer = await stage.deliver(provider, event, { ...signed, ...headers })
      expect(answer).toEqual({ status: 200, body: '' })
    }
    const { status } = await fetch(`${stage.gateway.url}${path}/`, {
      method: 'POST',
      headers: signed,
      body: event,
    })
    expect(status).toBe(200)
  })

  test('is found under known host names only', async () => {
    const stage = await startPaymentStage()
    const send = (host: string) => stage.deliver(provider, event, { ...signed, host })
    expect((await send('tunnel.example.com')).status).toBe(403)
    stage.set({ AllowedHosts: ['tunnel.example.com'] })
    expect((await send('tunnel.example.com')).status).toBe(200)
  })

  test('takes 256 KiB and no more', async () => {
    const stage = await startPaymentStage()
    const large = Buffer.alloc(256 * 1024 + 1, 'a')
    expect(await stage.deliver(provider, large, {})).toEqual({ status: 413, body: '' })
    const chunked = { 'transfer-encoding': 'chunked' }
    expect((await stage.deliver(provider, large, chunked)).status).toBe(413)
    const allowed = await stage.deliver(provider, large.subarray(1), {})
    expect(allowed.status).toBe(provider === 'stripe' ? 400 : 401)
  })

  test('refuses a packed body without unpacking it', async () => {
    const stage = await startPaymentStage()
    const packed = gzipSync(event)
    const answer = await stage.deliver(provider, packed, { ...signed, 'content-encoding': 'gzip' })
    expect(answer).toEqual({ status: 415, body: '' })
    const plain = await stage.deliver(provider, event, {
      ...signed,
      'content-encoding': 'identity',
    })
    expect(plain.status).toBe(200)
  })

  test('refuses everything unread while its secret is not set', async () => {
    const stage = await startPaymentStage()
    stage.set({ StripeWebhookSecret: '', CreemWebhookSecret: '' })
    const large = Buffer.alloc(256 * 1024 + 1, 'a')
    expect((await stage.deliver(provider, large, {})).status).toBe(403)
  })

  test('answers 429 to an address that keeps sending what is not signed', async () => {
    const stage = await startPaymentStage()
    const statuses: number[] = []
    for (let turn = 0; turn < 121; turn++) {
      statuses.push((await stage.deliver(provider, 'not signed', {})).status)
    }
    const refusal = provider === 'stripe' ? 400 : 401
    expect(new Set(statuses.slice(0, 120))).toEqual(new Set([refusal]))
    expect(statuses.at(-1)).toBe(429)
    const other = provider === 'stripe' ? 'creem' : 'stripe'
    const { status } = await stage.deliver(other, events[other], signatures[other])
    expect(status).toBe(200)
  })

  test('takes POST only', async () => {
    const stage = await startPaymentStage()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(stage.gateway.url + path, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      expect(await answer.text()).toBe('')
    }
  })

  test('is not held up by the limits that people have', async () => {
    const stage = await startPaymentStage()
    const statuses = new Set<number>()
    for (let turn = 0; turn < 250; turn++) {
      statuses.add((await stage.deliver(provider, event, signed)).status)
    }
    expect(statuses).toEqual(new Set([200]))
  })
})

test('a delivery that breaks off does nothing, and counts when it comes whole', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    livemode: false,
    data: { object: paidSession(session) },
  })
  const signature = stripeSignature(payload)
  const socket = connect(stage.gateway.port, '127.0.0.1')
  socket.end(
    `POST /api/stripe/webhook HTTP/1.1\r\nHost: 127.0.0.1:${stage.gateway.port}\r\nStripe-Signature: ${signature}\r\nContent-Length: ${payload.length}\r\n\r\n${payload.slice(0, 99)}`,
  )
  await new Promise((resolve) => socket.on('close', resolve).resume())
  expect(await stage.balance()).toBe(0)
  const { status } = await stage.deliver('stripe', payload, { 'stripe-signature': signature })
  expect(status).toBe(200)
  expect(await stage.balance()).toBe(1_000_000)
})

test('an order is credited after the gateway failed 121 times to write its payment', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  const free = stage.fillLedger('INSERT ON calls')
  const deliver = () => stage.stripeEvent('checkout.session.completed', paidSession(session))
  const statuses = new Set<number>()
  // One more than an address may be refused in a minute.
  for (let turn = 0; turn < 121; turn++) statuses.add(await deliver())
  expect(statuses).toEqual(new Set([500]))
  free()
  expect(await deliver()).toBe(200)
  expect(await stage.balance()).toBe(1_000_000)
})
