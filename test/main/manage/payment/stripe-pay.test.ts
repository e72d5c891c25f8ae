import { expect, test } from 'vitest'
import { BOB, DOLLAR, startPaymentStage } from './payment-stage.ts'

test('buying makes an order, asks Stripe for exactly that, and gives the link', async () => {
  const stage = await startPaymentStage()
  const { body, status } = await stage.asBob('POST', '/api/user/stripe/pay', {
    amount: 20,
    payment_method: 'stripe',
  })
  expect(status).toBe(200)
  expect(body.message).toBe('success')
  expect(body.data.pay_link).toMatch(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)
  const asked = stage.stripe.last()
  expect(asked.url).toBe('/v1/checkout/sessions')
  expect(asked.headers.authorization).toBe('Bearer sk_test_key')
  const { body: page } = await stage.asBob('GET', '/api/user/topup/self')
  const [order] = page.data.items
  expect(order).toEqual({
    id: 1,
    user_id: 2,
    username: 'bob',
    amount: 20,
    money: 20,
    price: 160,
    trade_no: expect.stringMatching(/^ref_[0-9a-f]{40}$/),
    payment_method: 'stripe',
    payment_provider: 'stripe',
    currency: 'usd',
    credit: 20 * DOLLAR,
    create_time: expect.any(Number),
    complete_time: 0,
    has_checkout: true,
    // The way back to it after a reload.
    checkout_url: body.data.pay_link,
    status: 'pending',
    clawed_back: 0,
    note: '',
    notes: [],
  })
  const fields = Object.fromEntries(new URLSearchParams(asked.body.toString()))
  expect(fields).toEqual({
    mode: 'payment',
    client_reference_id: order.trade_no,
    'line_items[0][price]': 'price_1',
    'line_items[0][quantity]': '20',
    success_url: `${stage.gateway.url}/console/payments`,
    cancel_url: `${stage.gateway.url}/console/payments`,
    allow_promotion_codes: 'false',
    customer_creation: 'always',
  })
})

test('the order is kept before Stripe hears of it', async () => {
  const stage = await startPaymentStage()
  const { parts } = stage.gateway
  let seen: unknown[] = []
  stage.stripe.script({ delay: 300, status: 500, body: { error: { message: 'Later.' } } })
  const waiting = stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })
  while (stage.stripe.requests.length === 0) await new Promise((done) => setTimeout(done, 5))
  seen = parts.ledger.read('SELECT status FROM orders')
  expect(seen.map((row) => ({ ...(row as object) }))).toEqual([{ status: 'pending' }])
  await waiting
})

test('what Stripe refuses is told in its words, without the key, and the order has failed', async () => {
  const stage = await startPaymentStage()
  const error = {
    message: "No such price: 'price_1' for sk_test_key",
    type: 'invalid_request_error',
  }
  stage.stripe.script({ status: 400, body: { error } })
  const { status, body } = await stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })
  expect([status, body.code]).toEqual([502, 'upstream_error'])
  expect(body.message).toContain("No such price: 'price_1'")
  expect(body.message).not.toContain('sk_test_key')
  // Clients of new-api show the data.
  expect(body.data).toBe(body.message)
  const { items } = (await stage.owner.get('/api/user/topup')).body.data
  expect(items[0]).toMatchObject({ status: 'failed', note: body.message, has_checkout: false })
  stage.set({ StripePriceId: '' })
  const off = (await stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })).body
  expect(off).toMatchObject({ code: 'forbidden', data: expect.stringMatching(/not set up/) })
})

test('a Stripe that does not answer is told as such', async () => {
  const stage = await startPaymentStage()
  await stage.stripe.close()
  const { status, body } = await stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })
  expect([status, body.code]).toEqual([502, 'upstream_error'])
  expect(body.message).toMatch(/cannot be reached/)
})

test('a customer that Stripe does not know any more is made anew', async () => {
  const stage = await startPaymentStage()
  const { users } = stage.gateway.parts
  users.update(2, { stripeCustomer: 'cus_old', email: 'bob@example.com' })
  stage.stripe.script({
    status: 400,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'customer',
        message: "No such customer: 'cus_old'",
      },
    },
  })
  expect((await stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })).status).toBe(200)
  const [first, second] = stage.stripe.requests.map(({ body }) => new URLSearchParams(`${body}`))
  expect(first?.get('customer')).toBe('cus_old')
  expect(first?.get('customer_creation')).toBeNull()
  expect(second?.get('customer')).toBeNull()
  expect(second?.get('customer_email')).toBe('bob@example.com')
  expect(users.byId(2)?.stripeCustomer).toBe('')
})

test.each([0, 1, 10_001, -3, 1.5, 'many'])('an amount of %s is refused', async (amount) => {
  const stage = await startPaymentStage()
  stage.set({ StripeMinTopUp: 2 })
  for (const path of ['pay', 'amount']) {
    const { status, body } = await stage.asBob('POST', `/api/user/stripe/${path}`, { amount })
    expect([status, body.field]).toEqual([400, 'amount'])
    // Clients of new-api show what they find in `data`.
    if (Number.isInteger(amount)) expect(body.data).toBe(path === 'pay' ? 10 : body.message)
  }
  expect(stage.stripe.requests).toHaveLength(0)
})

test('the smallest and the largest amount can be bought', async () => {
  const stage = await startPaymentStage()
  stage.set({ StripeMinTopUp: 2 })
  const show = async (amount: number) =>
    (await stage.asBob('POST', '/api/user/stripe/amount', { amount })).body.data
  expect([await show(2), await show(10_000)]).toEqual(['16.00', '80000.00'])
})

test('a price is shown with the factor of the group and the discount of the amount', async () => {
  const stage = await startPaymentStage()
  stage.set({
    TopupGroupRatio: { default: 0.5 },
    'payment_setting.amount_discount': { '100': 0.9 },
  })
  const show = async (amount: number) =>
    (await stage.asBob('POST', '/api/user/stripe/amount', { amount })).body
  expect(await show(2)).toMatchObject({ success: true, message: 'success', data: '8.00' })
  expect((await show(100)).data).toBe('360.00')
  await stage.buyDollars(100)
  const { items } = (await stage.asBob('GET', '/api/user/topup/self')).body.data
  expect(items[0]).toMatchObject({ amount: 100, money: 50, credit: 50 * DOLLAR })
  // Stripe multiplies its own price by the amount alone.
  expect(items[0]).toMatchObject({ price: 800, currency: 'usd' })
  const { data: info } = (await stage.asBob('GET', '/api/user/topup/info')).body
  expect(info.stripe_credit_factor).toBe(0.5)
  stage.set({ TopupGroupRatio: { default: 0 } })
  expect((await show(2)).data).toBe('16.00')
})

test('the buyer is sent back to this gateway only', async () => {
  const stage = await startPaymentStage()
  stage.set({ AllowedHosts: ['Gate.example.com'], ServerAddress: 'https://money.example.com/' })
  const { port } = stage.gateway
  const pay = (success_url: string) =>
    stage.asBob('POST', '/api/user/stripe/pay', { amount: 2, success_url })
  for (const url of [
    `http://127.0.0.1:${port}/console/redeem`,
    'https://gate.example.com/console/',
    'https://gate.example.com:8443/console/',
    'https://money.example.com/x',
  ]) {
    expect((await pay(url)).status).toBe(200)
    const { body } = stage.stripe.last()
    expect(new URLSearchParams(`${body}`).get('success_url')).toBe(url)
    expect(new URLSearchParams(`${body}`).get('cancel_url')).toBe(
      'https://money.example.com/console/payments',
    )
  }
  for (const url of [
    'https://evil.example.com/',
    'https://gate.example.com.evil.com/',
    'https://gate.example.com@evil.com/',
    `http://127.0.0.1:${port + 1}/`,
    'javascript:alert(1)',
    '/console/payments',
  ]) {
    const { status, body } = await pay(url)
    expect([status, body.field, body.data]).toEqual([400, 'success_url', ''])
  }
})

test('without a key nothing is sold, and the page is told so', async () => {
  const stage = await startPaymentStage()
  const before = (await stage.asBob('GET', '/api/user/topup/info')).body.data
  expect(before).toEqual({
    enable_online_topup: false,
    enable_stripe_topup: true,
    enable_creem_topup: true,
    creem_products: JSON.stringify([
      { productId: 'prod_1', name: 'Ten', price: 10, currency: 'EUR', quota: 6_000_000 },
    ]),
    pay_methods: [{ name: 'Stripe', type: 'stripe', color: '#635bff', min_topup: 1 }],
    min_topup: 1,
    stripe_min_topup: 1,
    stripe_credit_factor: 1,
    amount_options: [10, 20, 50, 100, 200, 500],
    discount: {},
  })
  stage.set({ StripeApiSecret: '', CreemApiKey: '' })
  const after = (await stage.asBob('GET', '/api/user/topup/info')).body.data
  expect(after).toMatchObject({
    enable_stripe_topup: false,
    enable_creem_topup: false,
    creem_products: '[]',
    pay_methods: [],
  })
  const stripe = await stage.asBob('POST', '/api/user/stripe/pay', { amount: 2 })
  expect([stripe.status, stripe.body.code]).toEqual([403, 'forbidden'])
  const creem = await stage.asBob('POST', '/api/user/creem/pay', { product_id: 'prod_1' })
  expect([creem.status, creem.body.code]).toEqual([403, 'forbidden'])
})

test('who is not signed in buys nothing and sees no orders', async () => {
  const stage = await startPaymentStage()
  const { tradeNo } = await stage.buyDollars()
  for (const [method, path] of [
    ['POST', '/api/user/stripe/amount'],
    ['POST', '/api/user/stripe/pay'],
    ['POST', '/api/user/creem/pay'],
    ['POST', '/api/user/topup/check'],
    ['POST', '/api/user/topup/complete'],
    ['GET', '/api/user/topup/info'],
    ['GET', '/api/user/topup/self'],
    ['GET', '/api/user/topup'],
  ] as const) {
    const body = method === 'POST' ? {} : undefined
    expect((await stage.visitor().send(method, path, body)).status).toBe(401)
  }
  const input = { trade_no: tradeNo }
  const asBob = await stage.visitor().send('POST', '/api/user/topup/complete', input, BOB)
  expect(asBob.status).toBe(403)
  expect((await stage.asBob('GET', '/api/user/topup')).status).toBe(403)
})
