import { expect, test } from 'vitest'
import { creemSignature, paidCheckout, startPaymentStage } from './payment-stage.ts'

const COMPLETED = 'checkout.completed'
const UNITS = 6_000_000

type Json = Record<string, unknown>

test('buying makes an order, asks Creem for exactly that, and gives the link', async () => {
  const stage = await startPaymentStage()
  stage.gateway.parts.users.update(2, { email: 'bob@example.com' })
  const input = { product_id: 'prod_1', payment_method: 'creem' }
  const { body } = await stage.asBob('POST', '/api/user/creem/pay', input)
  expect(body).toMatchObject({ success: true, message: 'success' })
  expect(body.data).toEqual({
    checkout_url: expect.stringMatching(/^https:\/\/checkout\.creem\.io\/ch_/),
    order_id: expect.stringMatching(/^ref_[0-9a-f]{40}$/),
  })
  const asked = stage.creem.last()
  expect(asked.method).toBe('POST')
  expect(asked.url).toBe('/v1/checkouts')
  expect(asked.headers['x-api-key']).toBe('creem_test_key')
  expect(asked.json()).toEqual({
    product_id: 'prod_1',
    request_id: body.data.order_id,
    customer: { email: 'bob@example.com' },
    metadata: {
      username: 'bob',
      reference_id: body.data.order_id,
      product_name: 'Ten',
      quota: String(UNITS),
    },
  })
  expect(await stage.order(body.data.order_id)).toMatchObject({
    amount: UNITS,
    money: 10,
    credit: UNITS,
    currency: 'eur',
    payment_method: 'creem',
    has_checkout: true,
    status: 'pending',
  })
})

test('an unknown product, and one that costs something else at Creem, are not sold', async () => {
  const stage = await startPaymentStage()
  const pay = (product_id: string) => stage.asBob('POST', '/api/user/creem/pay', { product_id })
  const unknown = await pay('prod_9')
  expect([unknown.status, unknown.body.field]).toEqual([400, 'product_id'])
  const product = { id: 'prod_1', price: 1200, currency: 'EUR' }
  stage.creem.script({ body: { id: 'ch_x', checkout_url: 'https://creem.io/x', product } })
  const dearer = await pay('prod_1')
  expect([dearer.status, dearer.body.code]).toEqual([502, 'upstream_error'])
  expect(dearer.body.message).toMatch(/1200 EUR/)
  const sold = { id: 'prod_1', price: 1000, currency: 'EUR' }
  stage.creem.script({ body: { id: 'ch_y', checkout_url: 'https://creem.io/y', product: sold } })
  expect((await pay('prod_1')).status).toBe(200)
  const refusal = { status: 403, message: ['The key creem_test_key is wrong'] }
  stage.creem.script({ status: 403, body: refusal })
  const refused = await pay('prod_1')
  expect(refused.status).toBe(502)
  expect(refused.body.message).toMatch(/The key \*\*\* is wrong/)
  for (const { body } of [unknown, dearer, refused]) expect(body.data).toBe(body.message)
  const { items } = (await stage.asBob('GET', '/api/user/topup/self')).body.data
  expect(items.map(({ status }: Json) => status)).toEqual(['failed', 'pending', 'failed'])
})

test("a paid checkout credits the product's units once, and fills an empty e-mail", async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  const paid = paidCheckout(checkout, { metadata: { quota: '99999999999' } })
  for (const id of ['evt_1', 'evt_1', 'evt_2']) {
    expect(await stage.creemEvent(COMPLETED, paid, { id })).toBe(200)
  }
  expect(await stage.balance()).toBe(UNITS)
  expect((await stage.order(tradeNo)).status).toBe('success')
  expect(await stage.rows(1)).toHaveLength(1)
  expect(stage.gateway.parts.users.byId(2)?.email).toBe('bob@example.com')
  const other = await stage.buyProduct()
  const customer = { id: 'cust_1', email: 'other@example.com' }
  await stage.creemEvent(COMPLETED, paidCheckout(other.checkout, { customer }))
  expect(stage.gateway.parts.users.byId(2)?.email).toBe('bob@example.com')
})

test('an e-mail that somebody else signs in with is credited for, and not taken over', async () => {
  const stage = await startPaymentStage()
  const { users } = stage.gateway.parts
  const eve = users.create({ username: 'eve', email: 'Bob@example.com' })
  const { checkout } = await stage.buyProduct()
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout))).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
  expect(users.byId(2)?.email).toBe('')
  expect(users.byLogin('bob@example.com')?.id).toBe(eve.id)
})

test('fifty deliveries of one event at once credit once', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  const paid = paidCheckout(checkout)
  const statuses = await Promise.all(
    Array.from({ length: 50 }, () => stage.creemEvent(COMPLETED, paid, { id: 'evt_1' })),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await stage.balance()).toBe(UNITS)
})

test.each([
  ['is still pending', {}, { status: 'pending' }],
  ['is a subscription', {}, { type: 'recurring' }],
  ['has an id for its order', { order: 'ord_1' }, {}],
  ['is not complete', { status: 'processing' }, {}],
])('a checkout that %s is taken and does nothing', async (_what, fields, order) => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout, fields, order))).toBe(200)
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).status).toBe('pending')
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout))).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
})

test.each([
  ['no money at all', {}, { amount_paid: 0 }, /Nothing had to be paid/],
  ['a discount of everything', {}, { amount_paid: 0, discount_amount: 1000 }, /Nothing had to/],
  ['less than the price', {}, { amount_paid: 1 }, /1 eur was received for a price of 1000 eur/],
  ['another amount', {}, { amount: 100, amount_paid: 100 }, /100 eur was paid/],
  ['another currency', {}, { currency: 'USD' }, /1000 usd was paid/],
  ['another product', {}, { product: 'prod_cheap' }, /prod_cheap/],
  ['real money for a test order', { mode: 'prod' }, {}, /mode "prod"/],
  ['another checkout', { id: 'ch_other' }, {}, /another checkout/],
])('%s is not credited, and the owner is told', async (_what, fields, order, note) => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout, fields, order))).toBe(200)
  expect(await stage.balance()).toBe(0)
  const shown = await stage.order(tradeNo)
  expect(shown.status).toBe('pending')
  expect(shown.note).toMatch(note)
  expect(await stage.rows(4)).toHaveLength(1)
})

test('a test payment of an order made in test mode credits nothing once that mode is off', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  stage.set({ CreemTestMode: false })
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).note).toMatch(/mode "test"/)
})

test('a price in a currency without cents is what it says', async () => {
  const stage = await startPaymentStage()
  const product = { name: 'Yen', price: 1500, currency: 'JPY', quota: UNITS }
  stage.set({ CreemProducts: [{ productId: 'prod_1', ...product }] })
  const { checkout } = await stage.buyProduct()
  const paid = { amount: 1500, amount_paid: 1500, currency: 'JPY' }
  await stage.creemEvent(COMPLETED, paidCheckout(checkout, {}, paid))
  expect(await stage.balance()).toBe(UNITS)
})

test('a tax that comes on top of the price is no other price', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  const taxed = { amount: 1210, sub_total: 1000, tax_amount: 210, amount_paid: 1210 }
  await stage.creemEvent(COMPLETED, paidCheckout(checkout, {}, taxed))
  expect(await stage.balance()).toBe(UNITS)
})

test('a discount that Creem gave is no other price', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  const discounted = { amount_paid: 800, discount_amount: 200 }
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout, {}, discounted))).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
})

test("Creem's event cannot pay an order of Stripe's", async () => {
  const stage = await startPaymentStage()
  const { tradeNo } = await stage.buyDollars()
  const { checkout } = await stage.buyProduct()
  const foreign = paidCheckout(checkout, { request_id: tradeNo })
  expect(await stage.creemEvent(COMPLETED, foreign)).toBe(200)
  expect(await stage.balance()).toBe(0)
  expect(await stage.order(tradeNo)).toMatchObject({
    status: 'pending',
    note: expect.stringMatching(/creem names this order/),
  })
})

test('a paid checkout without an order of ours is refused, each time it is sent', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  for (const request_id of ['ref_unknown', undefined, '']) {
    const paid = paidCheckout(checkout, { request_id })
    for (let turn = 0; turn < 2; turn++) {
      expect(await stage.creemEvent(COMPLETED, paid, { id: 'evt_1' })).toBe(400)
    }
  }
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout), { id: 'evt_1' })).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
})

test.each([
  'subscription.paid',
  'subscription.active',
  'credits.granted',
  'unheard.of',
  'constructor',
])('%s is taken and does nothing', async (type) => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  expect(await stage.creemEvent(type, paidCheckout(checkout))).toBe(200)
  expect(await stage.balance()).toBe(0)
})

test.each([
  ['no signature', {}],
  ['an empty one', { 'creem-signature': '' }],
  ['a short one', { 'creem-signature': 'abcd' }],
  ["another body's", { 'creem-signature': creemSignature('{}') }],
  ["another secret's", { 'creem-signature': '' as string, secret: 'other' }],
])('a delivery with %s is refused and does nothing', async (_what, given) => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  const object = paidCheckout(checkout)
  const payload = JSON.stringify({ id: 'evt_1', eventType: COMPLETED, object })
  const { secret, ...headers } = given as Record<string, string>
  const sent = secret ? { 'creem-signature': creemSignature(payload, secret) } : headers
  expect(await stage.deliver('creem', payload, sent)).toEqual({ status: 401, body: '' })
  expect(await stage.balance()).toBe(0)
})

test('without a secret nothing is believed, not even in test mode', async () => {
  const stage = await startPaymentStage()
  stage.set({ CreemWebhookSecret: '' })
  const { checkout } = await stage.buyProduct()
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout))).toBe(403)
  expect((await stage.deliver('creem', '{}', {})).status).toBe(403)
  const forged = { 'creem-signature': creemSignature('{}', '') }
  expect((await stage.deliver('creem', '{}', forged)).status).toBe(403)
  expect(await stage.balance()).toBe(0)
})

test.each([
  '',
  'no json',
  '[]',
  '{"id":"evt_1"}',
  '{"id":"e","eventType":"refund.created","object":{}}',
])('a signed body that is no event (%s) is refused', async (body) => {
  const stage = await startPaymentStage()
  const headers = { 'creem-signature': creemSignature(body) }
  expect(await stage.deliver('creem', body, headers)).toEqual({ status: 400, body: '' })
})

test('the signature is of the bytes, not of what they mean', async () => {
  const stage = await startPaymentStage()
  const body = Buffer.from(
    '{ "id": "evt_1",\r\n "eventType": "x",  "object": {"a": "\\u00e9é"} }\n',
  )
  const headers = { 'creem-signature': creemSignature(body).toUpperCase() }
  expect((await stage.deliver('creem', body, headers)).status).toBe(200)
  const respelled = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
  expect((await stage.deliver('creem', respelled, headers)).status).toBe(401)
})

test('what cannot be written is a 500, and counts when it is sent again', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  const free = stage.fillLedger('UPDATE ON orders')
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout), { id: 'evt_1' })).toBe(500)
  free()
  expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout), { id: 'evt_1' })).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
})

test('a Creem that does not answer is told as such', async () => {
  const stage = await startPaymentStage()
  await stage.creem.close()
  const input = { product_id: 'prod_1' }
  const { status, body } = await stage.asBob('POST', '/api/user/creem/pay', input)
  expect([status, body.code]).toEqual([502, 'upstream_error'])
  expect(body.message).toBe('Creem cannot be reached. Try again in a moment.')
})
