import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  DOLLAR,
  paidSession,
  STRIPE_SECRET,
  startPaymentStage,
  stripeSignature,
} from './payment-stage.ts'

const COMPLETED = 'checkout.session.completed'

test('a paid checkout credits what was ordered, once, and says so in the log', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars(3)
  const paid = paidSession(session, { metadata: { quota: '999999999999' } })
  expect(await stage.stripeEvent(COMPLETED, paid, { id: 'evt_1' })).toBe(200)
  expect(await stage.balance()).toBe(3 * DOLLAR)
  expect(await stage.order(tradeNo)).toMatchObject({
    status: 'success',
    complete_time: expect.any(Number),
    note: '',
  })
  for (const id of ['evt_1', 'evt_2']) {
    expect(await stage.stripeEvent(COMPLETED, paid, { id })).toBe(200)
  }
  expect(await stage.balance()).toBe(3 * DOLLAR)
  const rows = await stage.rows(1)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ quota: 3 * DOLLAR, username: 'bob' })
  await stage.stripeEvent(COMPLETED, { ...paid, id: 'cs_other', customer: 'cus_other' })
  expect(stage.gateway.parts.users.byId(2)?.stripeCustomer).toBe('cus_bob')
  await stage.buyDollars(1)
  expect(new URLSearchParams(`${stage.stripe.last().body}`).get('customer')).toBe('cus_bob')
})

test('fifty deliveries of one event at once credit once', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars(3)
  const paid = paidSession(session)
  const statuses = await Promise.all(
    Array.from({ length: 50 }, () => stage.stripeEvent(COMPLETED, paid, { id: 'evt_1' })),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await stage.balance()).toBe(3 * DOLLAR)
  expect(await stage.rows(1)).toHaveLength(1)
})

test('a payment that is still under way credits when it has come', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const waiting = paidSession(session, { payment_status: 'unpaid' })
  expect(await stage.stripeEvent(COMPLETED, waiting)).toBe(200)
  expect(await stage.stripeEvent(COMPLETED, paidSession(session, { status: 'open' }))).toBe(200)
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).status).toBe('pending')
  const succeeded = 'checkout.session.async_payment_succeeded'
  expect(await stage.stripeEvent(succeeded, paidSession(session))).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect(await stage.stripeEvent(COMPLETED, paidSession(session))).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
})

test('a payment that failed leaves a failed order', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const failed = 'checkout.session.async_payment_failed'
  const unpaid = paidSession(session, { payment_status: 'unpaid' })
  expect(await stage.stripeEvent(failed, unpaid)).toBe(200)
  expect(await stage.stripeEvent(failed, unpaid)).toBe(200)
  expect((await stage.order(tradeNo)).status).toBe('failed')
  expect(await stage.balance()).toBe(0)
})

test('a checkout that expired, and one that says so but did not', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const type = 'checkout.session.expired'
  expect(await stage.stripeEvent(type, { ...session, status: 'open' })).toBe(200)
  expect((await stage.order(tradeNo)).status).toBe('pending')
  expect(await stage.stripeEvent(type, { ...session, status: 'expired' })).toBe(200)
  expect((await stage.order(tradeNo)).status).toBe('expired')
})

test.each([
  ['checkout.session.expired', { status: 'expired' }],
  ['checkout.session.async_payment_failed', { status: 'complete', payment_status: 'unpaid' }],
])('%s after the payment changes nothing', async (type, fields) => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  await stage.stripeEvent(COMPLETED, paidSession(session))
  expect(await stage.stripeEvent(type, { ...session, ...fields })).toBe(200)
  expect((await stage.order(tradeNo)).status).toBe('success')
  expect(await stage.balance()).toBe(2 * DOLLAR)
})

test.each([
  [
    'checkout.session.expired',
    { status: 'expired' },
    {
      message: 'Paid after it had expired; it was credited.',
      reason: { code: 'order_paid_after_expiry' },
    },
  ],
  [
    'checkout.session.async_payment_failed',
    {},
    {
      message: 'Paid after it had failed; it was credited.',
      reason: { code: 'order_paid_after_failure' },
    },
  ],
])('a payment that comes after %s is credited once, and flagged', async (type, fields, note) => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  await stage.stripeEvent(type, { ...session, ...fields })
  for (let turn = 0; turn < 2; turn++) {
    expect(await stage.stripeEvent(COMPLETED, paidSession(session))).toBe(200)
  }
  const order = await stage.order(tradeNo)
  expect(order.status).toBe('success')
  expect(order.notes).toEqual([note])
  expect(await stage.balance()).toBe(2 * DOLLAR)
})

test.each([
  ['another amount', { amount_subtotal: 100, amount_total: 100 }, {}, /100 usd was paid/],
  ['less in all, without a code', { amount_total: 100 }, {}, /without a promotion code/],
  ['another currency', { currency: 'jpy' }, {}, /jpy was paid/],
  ['a subscription', { mode: 'subscription' }, {}, /subscription/],
  ['live money for a test order', {}, { livemode: true }, /live mode/],
  ['another checkout', { id: 'cs_other' }, {}, /another checkout/],
])('%s is not credited, and the owner is told', async (_what, fields, event, note) => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  for (let turn = 0; turn < 2; turn++) {
    expect(await stage.stripeEvent(COMPLETED, paidSession(session, fields), event)).toBe(200)
  }
  expect(await stage.balance()).toBe(0)
  const order = await stage.order(tradeNo)
  expect(order.status).toBe('pending')
  expect(order.note).toMatch(note)
  expect(order.note.match(/It was not credited/g)).toHaveLength(1)
  const [row] = await stage.rows(4)
  expect(row).toMatchObject({ username: 'ada', quota: 0 })
  expect(row?.content).toContain(tradeNo)
  expect(await stage.stripeEvent(COMPLETED, paidSession(session))).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
})

test('an event that is sent again tells the owner nothing again', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  const wrong = paidSession(session, { currency: 'jpy' })
  for (let turn = 0; turn < 3; turn++) {
    expect(await stage.stripeEvent(COMPLETED, wrong, { id: 'evt_1' })).toBe(200)
  }
  expect(await stage.rows(4)).toHaveLength(1)
})

test('with promotion codes on, less may be paid in all', async () => {
  const stage = await startPaymentStage()
  stage.set({ StripePromotionCodesEnabled: true })
  const { tradeNo, session } = await stage.buyDollars()
  await stage.stripeEvent(COMPLETED, paidSession(session, { amount_total: 800 }))
  expect(await stage.balance()).toBe(2 * DOLLAR)
  const { session: free, tradeNo: freeNo } = await stage.buyDollars()
  const nothing = { amount_total: 0, payment_status: 'no_payment_required' }
  expect(await stage.stripeEvent(COMPLETED, paidSession(free, nothing))).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect(await stage.order(freeNo)).toMatchObject({
    status: 'pending',
    note: expect.stringMatching(/by hand/),
  })
  expect((await stage.order(tradeNo)).status).toBe('success')
  // A checkout that was made while they were on is paid after they are off.
  stage.set({ StripePromotionCodesEnabled: false })
  const { session: late } = await stage.buyDollars()
  const reduced = { amount_total: 800, allow_promotion_codes: true }
  await stage.stripeEvent(COMPLETED, paidSession(late, reduced))
  expect(await stage.balance()).toBe(4 * DOLLAR)
})

test("Stripe's event cannot pay an order of Creem's", async () => {
  const stage = await startPaymentStage()
  const { tradeNo } = await stage.buyProduct()
  const { session } = await stage.buyDollars()
  const foreign = paidSession(session, { client_reference_id: tradeNo })
  expect(await stage.stripeEvent(COMPLETED, foreign)).toBe(200)
  expect(await stage.stripeEvent('checkout.session.expired', foreign)).toBe(200)
  expect(await stage.balance()).toBe(0)
  expect(await stage.order(tradeNo)).toMatchObject({
    status: 'pending',
    note: expect.stringMatching(/stripe names this order/),
  })
})

test('unknown orders and events of other kinds are taken and do nothing', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  for (const reference of ['ref_unknown', null]) {
    const unknown = paidSession(session, { client_reference_id: reference })
    expect(await stage.stripeEvent(COMPLETED, unknown)).toBe(200)
  }
  expect(await stage.stripeEvent('customer.created', { id: 'cus_1' })).toBe(200)
  expect(await stage.stripeEvent('invoice.paid', paidSession(session))).toBe(200)
  expect(await stage.balance()).toBe(0)
  expect(await stage.rows(1)).toHaveLength(0)
})

/** A header whose signature is right for the time that it names, whatever that is. */
const signedAt = (time: string, body: string): string =>
  `t=${time},v1=${createHmac('sha256', STRIPE_SECRET).update(`${time}.${body}`).digest('hex')}`

const past = () => Math.floor(Date.now() / 1000) - 301
/** Seconds pass until it is read. */
const future = () => Math.floor(Date.now() / 1000) + 330

test.each([
  ['no signature', () => ({})],
  ['an empty one', () => ({ 'stripe-signature': '' })],
  ['nonsense', () => ({ 'stripe-signature': 'nonsense' })],
  [
    "another secret's",
    (body: string) => ({ 'stripe-signature': stripeSignature(body, { secret: 'whsec_other' }) }),
  ],
  ["another body's", () => ({ 'stripe-signature': stripeSignature('{}') })],
  [
    'one that is too old',
    (body: string) => ({ 'stripe-signature': stripeSignature(body, { timestamp: past() }) }),
  ],
  [
    'one from the future',
    (body: string) => ({ 'stripe-signature': stripeSignature(body, { timestamp: future() }) }),
  ],
  ['a time that is no number', (body: string) => ({ 'stripe-signature': signedAt('NaN', body) })],
  [
    'two times, of which the last is no number',
    (body: string) => {
      const now = Math.floor(Date.now() / 1000)
      return { 'stripe-signature': `t=${now},${signedAt('NaN', body)}` }
    },
  ],
  [
    'one of an old scheme',
    (body: string) => ({ 'stripe-signature': stripeSignature(body, { scheme: 'v0' }) }),
  ],
])('a delivery with %s is refused and does nothing', async (_what, headersOf) => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  const event = {
    id: 'evt_1',
    object: 'event',
    type: COMPLETED,
    livemode: false,
    data: { object: paidSession(session) },
  }
  const payload = JSON.stringify(event)
  const headers = headersOf(payload) as Record<string, string>
  expect(await stage.deliver('stripe', payload, headers)).toEqual({ status: 400, body: '' })
  expect(await stage.balance()).toBe(0)
})

test('while a secret is rotated, one good signature of several is enough', async () => {
  const stage = await startPaymentStage()
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.created',
    livemode: false,
    data: { object: {} },
  })
  const good = stripeSignature(payload)
  const [time, signature] = good.split(',')
  const several = `${time},v1=${'0'.repeat(64)},${signature},v0=${'1'.repeat(64)}`
  const answer = await stage.deliver('stripe', payload, { 'stripe-signature': several })
  expect(answer).toEqual({ status: 200, body: '' })
})

test.each(['', '{"id":"evt_1"', '[]', '{"object":"event"}', '{"id":"evt_1","object":"event"}'])(
  'a signed body that is no event (%s) is refused',
  async (body) => {
    const stage = await startPaymentStage()
    const headers = { 'stripe-signature': stripeSignature(body) }
    expect(await stage.deliver('stripe', body, headers)).toEqual({ status: 400, body: '' })
  },
)

test('without a secret nothing is believed, not even what an empty secret signed', async () => {
  const stage = await startPaymentStage()
  stage.set({ StripeWebhookSecret: '' })
  const { session } = await stage.buyDollars()
  expect(await stage.stripeEvent(COMPLETED, paidSession(session))).toBe(403)
  const forged = { 'stripe-signature': stripeSignature('{}', { secret: ' ' }) }
  expect((await stage.deliver('stripe', '{}', forged)).status).toBe(403)
  expect(await stage.balance()).toBe(0)
})

test('what cannot be written is a 500, and counts when it is sent again', async () => {
  const stage = await startPaymentStage()
  const { session } = await stage.buyDollars()
  const { ledger } = stage.gateway.parts
  const free = stage.fillLedger('INSERT ON calls')
  const paid = paidSession(session)
  expect(await stage.stripeEvent(COMPLETED, paid, { id: 'evt_1' })).toBe(500)
  expect(ledger.read('SELECT * FROM webhook_events')).toEqual([])
  free()
  expect(await stage.balance()).toBe(0)
  expect(await stage.stripeEvent(COMPLETED, paid, { id: 'evt_1' })).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
})
