import { expect, test } from 'vitest'
import { keepOrder, openCheckout } from '../../../../main/manage/payment/new-order.ts'
import { signInAs } from '../users/people.ts'
import { DOLLAR, paidCheckout, paidSession, startPaymentStage } from './payment-stage.ts'

const COMPLETED = 'checkout.session.completed'
const UNITS = 6_000_000

test('a user sees their own orders, an administrator all, found by their number', async () => {
  const stage = await startPaymentStage()
  await stage.owner.send('POST', '/api/user/stripe/pay', { amount: 1 })
  const { tradeNo } = await stage.buyDollars()
  await stage.buyProduct()
  const own = (await stage.asBob('GET', '/api/user/topup/self?page_size=1')).body.data
  expect(own).toMatchObject({ page: 1, page_size: 1, total: 2 })
  expect(own.items[0]).toMatchObject({ username: 'bob', payment_provider: 'creem' })
  const all = (await stage.owner.get('/api/user/topup')).body.data
  expect(all.items.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1])
  // Only the buyer is led to a checkout, and only while there's something to pay.
  expect(all.items.map((one: { checkout_url: string }) => one.checkout_url)).toEqual([
    ...['', '', expect.stringContaining('checkout.stripe.com')],
  ])
  await stage.owner.send('POST', '/api/user/topup/complete', { trade_no: tradeNo })
  const paid = (await stage.asBob('GET', `/api/user/topup/self?keyword=${tradeNo}`)).body.data
  expect(paid.items[0]).toMatchObject({ has_checkout: true, checkout_url: '' })
  const found = (await stage.asBob('GET', `/api/user/topup/self?keyword=${tradeNo}`)).body.data
  expect(found.items).toHaveLength(1)
  for (const keyword of ['%25', 'ref_%25', 'r_f']) {
    const { total } = (await stage.owner.get(`/api/user/topup?keyword=${keyword}`)).body.data
    expect(total).toBe(0)
  }
})

test('an order completed by hand is credited once, whatever comes after', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const complete = () => stage.owner.send('POST', '/api/user/topup/complete', { trade_no: tradeNo })
  expect((await complete()).status).toBe(200)
  expect((await complete()).status).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect(await stage.order(tradeNo)).toMatchObject({
    status: 'success',
    note: 'Completed by hand by ada.',
    notes: [{ reason: { code: 'order_completed_by', user: 'ada' } }],
  })
  expect(await stage.rows(1)).toHaveLength(1)
  expect((await stage.rows(3))[0]).toMatchObject({ username: 'ada' })
  await stage.stripeEvent(COMPLETED, paidSession(session))
  expect(await stage.balance()).toBe(2 * DOLLAR)
  const charge = {
    id: 'ch_1',
    payment_intent: `pi_${session.id}`,
    amount: 1600,
    amount_refunded: 800,
    currency: 'usd',
  }
  await stage.stripeEvent('charge.refunded', charge)
  expect(await stage.balance()).toBe(DOLLAR)
})

test('a refund told before the payment of an order completed by hand is taken back with it', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  await stage.owner.send('POST', '/api/user/topup/complete', { trade_no: tradeNo })
  const refund = {
    ...{ id: 're_1', payment_intent: `pi_${session.id}`, amount: 1600, currency: 'usd' },
    status: 'succeeded',
  }
  await stage.stripeEvent('refund.created', refund)
  // Nobody knows yet which order it is about.
  expect(await stage.balance()).toBe(2 * DOLLAR)
  await stage.stripeEvent(COMPLETED, paidSession(session))
  expect(await stage.balance()).toBe(0)
  expect(await stage.order(tradeNo)).toMatchObject({ status: 'refunded', clawed_back: 2 * DOLLAR })
})

test('refunds that name no payment go to the order of their checkout alone', async () => {
  const stage = await startPaymentStage()
  const byHand = await stage.buyProduct()
  await stage.owner.send('POST', '/api/user/topup/complete', { trade_no: byHand.tradeNo })
  const paid = await stage.buyProduct()
  await stage.creemEvent('checkout.completed', paidCheckout(paid.checkout))
  const refundOf = (checkout: Record<string, unknown>, id: string) => ({
    ...{ id, status: 'succeeded', refund_amount: 500, refund_currency: 'EUR' },
    checkout: checkout.id,
  })
  await stage.creemEvent('refund.created', refundOf(paid.checkout, 'ref_1'))
  expect(await stage.order(paid.tradeNo)).toMatchObject({ clawed_back: UNITS / 2 })
  expect(await stage.order(byHand.tradeNo)).toMatchObject({ status: 'success', clawed_back: 0 })
  await stage.creemEvent('refund.created', refundOf(byHand.checkout, 'ref_2'))
  expect(await stage.order(byHand.tradeNo)).toMatchObject({ clawed_back: UNITS / 2 })
  expect(await stage.balance()).toBe(UNITS)
})

test('an administrator completes the orders of users, but not the own one', async () => {
  const stage = await startPaymentStage()
  const admin = await signInAs(stage, { username: 'eve', role: 10 })
  const { tradeNo } = await stage.buyDollars()
  const complete = (trade_no: string) =>
    admin.send('POST', '/api/user/topup/complete', { trade_no })
  expect((await complete(tradeNo)).status).toBe(200)
  const { gateway } = stage
  const bought = (await stage.buyDollars()).tradeNo
  gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE orders SET user_id = ? WHERE trade_no = ?', admin.id, bought),
  )
  const { status, body } = await complete(bought)
  expect([status, body.code]).toEqual([403, 'forbidden'])
  expect((await admin.get('/api/user/self')).body.data.quota).toBe(0)
  const byOwner = { trade_no: bought }
  expect((await stage.owner.send('POST', '/api/user/topup/complete', byOwner)).status).toBe(200)
})

test('an order that is completed by hand stays paid when its checkout fails after that', async () => {
  const { gateway, owner, order } = await startPaymentStage()
  const user = gateway.parts.users.byId(2) ?? expect.fail('There is no buyer.')
  const price = { amount: 2, money: 2, credit: 2 * DOLLAR, currency: '', expectedAmount: null }
  const purchase = { ...price, provider: 'stripe' as const, productId: '', isLive: false }
  const kept = keepOrder(user, purchase, gateway.parts)
  const making = openCheckout(
    kept,
    async () => {
      await owner.send('POST', '/api/user/topup/complete', { trade_no: kept.tradeNo })
      throw new Error('Too late.')
    },
    gateway.parts,
  )
  await expect(making).rejects.toThrow('Too late.')
  const note = 'Completed by hand by ada.'
  expect(await order(kept.tradeNo)).toMatchObject({ status: 'success', note })
})

test("Creem's orders are credited in units by hand too, not in dollars", async () => {
  const stage = await startPaymentStage()
  const { tradeNo } = await stage.buyProduct()
  await stage.owner.send('POST', '/api/user/topup/complete', { trade_no: tradeNo })
  expect(await stage.balance()).toBe(UNITS)
})

test('only pending orders that exist can be completed by hand', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  await stage.stripeEvent('checkout.session.expired', { ...session, status: 'expired' })
  const complete = (trade_no: string) =>
    stage.owner.send('POST', '/api/user/topup/complete', { trade_no })
  const expired = await complete(tradeNo)
  expect([expired.status, expired.body.code]).toEqual([409, 'conflict'])
  expect((await complete('ref_unknown')).status).toBe(404)
  expect((await complete('')).body.field).toBe('trade_no')
  expect(await stage.balance()).toBe(0)
})

test('asking Stripe credits what was paid, as its event would have', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const check = async () =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no: tradeNo })).body.data
  expect((await check()).status).toBe('pending')
  expect(stage.stripe.last().url).toContain(`/v1/checkout/sessions/${session.id}`)
  const paid = paidSession(session, {
    payment_intent: { id: `pi_${session.id}`, latest_charge: null },
  })
  stage.checkouts.set(String(session.id), paid)
  const [first] = await Promise.all([check(), check(), check()])
  expect(first).toMatchObject({ status: 'success', trade_no: tradeNo })
  expect(await stage.balance()).toBe(2 * DOLLAR)
  await stage.stripeEvent(COMPLETED, paidSession(session))
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect((await stage.rows(1))[0]?.other).toContain('"via":"check"')
  expect(stage.gateway.parts.users.byId(2)?.stripeCustomer).toBe('cus_bob')
  const latest_charge = {
    id: 'ch_1',
    payment_intent: `pi_${session.id}`,
    amount: 1600,
    amount_refunded: 1600,
    currency: 'usd',
  }
  const refunded = { ...paid, payment_intent: { id: `pi_${session.id}`, latest_charge } }
  stage.checkouts.set(String(session.id), refunded)
  expect(await check()).toMatchObject({ status: 'refunded', clawed_back: 2 * DOLLAR })
  expect(await stage.balance()).toBe(0)
})

test('asking Stripe finds an expired checkout, and one that does not fit', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const check = async (trade_no: string) =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no })).body.data
  const other = await stage.buyDollars()
  const odd = paidSession(other.session, { amount_subtotal: 1, amount_total: 1 })
  stage.checkouts.set(String(other.session.id), odd)
  // Only administrators see what went wrong.
  expect(await check(other.tradeNo)).toMatchObject({ status: 'pending', note: '' })
  const { items } = (await stage.asBob('GET', '/api/user/topup/self')).body.data
  expect(items.map(({ note }: { note: string }) => note)).toEqual(['', ''])
  expect((await stage.order(other.tradeNo)).note).toMatch(/not credited/)
  stage.checkouts.set(String(session.id), { ...session, status: 'expired' })
  expect((await check(tradeNo)).status).toBe('expired')
  expect(await stage.balance()).toBe(0)
})

test('asking Creem credits what was paid, as its event would have', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  const check = async () =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no: tradeNo })).body.data
  expect((await check()).status).toBe('pending')
  expect(stage.creem.last().url).toBe(`/v1/checkouts?checkout_id=${checkout.id}`)
  stage.checkouts.set(String(checkout.id), paidCheckout(checkout))
  expect((await check()).status).toBe('success')
  expect((await check()).status).toBe('success')
  await stage.creemEvent('checkout.completed', paidCheckout(checkout))
  expect(await stage.balance()).toBe(UNITS)
  const late = await stage.buyProduct()
  stage.checkouts.set(String(late.checkout.id), { ...late.checkout, status: 'expired' })
  const input = { trade_no: late.tradeNo }
  const { body } = await stage.asBob('POST', '/api/user/topup/check', input)
  expect(body.data.status).toBe('expired')
})

test('asking Stripe finds a dispute too, once, whether or not its event comes as well', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const check = async () =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no: tradeNo })).body.data
  const payment_intent = `pi_${session.id}`
  const latest_charge = {
    ...{ id: 'ch_1', payment_intent, amount: 1600, amount_refunded: 0, currency: 'usd' },
    disputed: true,
  }
  const paid = paidSession(session, { payment_intent: { id: payment_intent, latest_charge } })
  stage.checkouts.set(String(session.id), paid)
  // A key that may not read disputes keeps nothing from being credited.
  expect((await check()).status).toBe('success')
  const dispute = { id: 'dp_1', payment_intent, amount: 400, currency: 'usd' }
  const disputes = { object: 'list', data: [{ ...dispute, status: 'warning_under_review' }] }
  stage.checkouts.set('disputes', disputes)
  expect((await check()).status).toBe('success')
  stage.checkouts.set('disputes', { ...disputes, data: [{ ...dispute, status: 'needs_response' }] })
  expect(await check()).toMatchObject({ status: 'disputed', clawed_back: DOLLAR / 2 })
  expect(stage.stripe.last().url).toContain(`payment_intent=${payment_intent}`)
  await stage.stripeEvent('charge.dispute.created', dispute)
  expect((await check()).clawed_back).toBe(DOLLAR / 2)
})

test('asking Stripe finds that a refund failed, and gives back what it took', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const check = async () =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no: tradeNo })).body.data
  const payment_intent = `pi_${session.id}`
  const chargeWith = (amount_refunded: number) => {
    const facts = { id: 'ch_1', payment_intent, amount: 1600, amount_refunded, currency: 'usd' }
    const intent = { id: payment_intent, latest_charge: facts }
    stage.checkouts.set(String(session.id), paidSession(session, { payment_intent: intent }))
  }
  chargeWith(400)
  expect(await check()).toMatchObject({ status: 'refunded', clawed_back: DOLLAR / 2 })
  chargeWith(0)
  const refund = { id: 're_1', payment_intent, amount: 400, currency: 'usd', status: 'failed' }
  stage.checkouts.set('refunds', { object: 'list', data: [refund] })
  expect(await check()).toMatchObject({ status: 'success', clawed_back: 0 })
  expect((await check()).clawed_back).toBe(0)
  expect(await stage.balance()).toBe(2 * DOLLAR)
})

test('asking Creem finds what was refunded and what was charged back', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  const check = async () =>
    (await stage.asBob('POST', '/api/user/topup/check', { trade_no: tradeNo })).body.data
  const transaction = {
    ...{ id: 'tran_1', status: 'paid', amount: 1000, amount_paid: 1000 },
    ...{ currency: 'EUR', refunded_amount: null },
  }
  stage.checkouts.set(String(checkout.id), paidCheckout(checkout, {}, { transaction: 'tran_1' }))
  stage.checkouts.set('tran_1', transaction)
  expect((await check()).status).toBe('success')
  stage.checkouts.set('tran_1', { ...transaction, status: 'partialRefund', refunded_amount: 250 })
  expect(await check()).toMatchObject({ status: 'refunded', clawed_back: UNITS / 4 })
  expect((await check()).clawed_back).toBe(UNITS / 4)
  stage.checkouts.set('tran_1', { ...transaction, status: 'chargedBack' })
  expect(await check()).toMatchObject({ status: 'disputed', clawed_back: UNITS })
  expect(await stage.balance()).toBe(0)
})

test('an administrator completes as many orders by hand as there are', async () => {
  const stage = await startPaymentStage()
  for (let count = 0; count < 22; count++) {
    const input = { trade_no: 'ref_unknown' }
    expect((await stage.owner.send('POST', '/api/user/topup/complete', input)).status).toBe(404)
  }
})

test("another user's order is unknown, one that has no checkout cannot be asked about", async () => {
  const stage = await startPaymentStage()
  const { body } = await stage.owner.send('POST', '/api/user/stripe/pay', { amount: 1 })
  expect(body.success).toBe(true)
  const [owners] = (await stage.owner.get('/api/user/topup')).body.data.items
  const check = (trade_no: string) => stage.asBob('POST', '/api/user/topup/check', { trade_no })
  expect((await check(owners.trade_no)).status).toBe(404)
  expect((await check('ref_unknown')).status).toBe(404)
  stage.stripe.script({ status: 400, body: { error: { message: 'No.' } } })
  await stage.asBob('POST', '/api/user/stripe/pay', { amount: 1 })
  const [failed] = (await stage.asBob('GET', '/api/user/topup/self')).body.data.items
  const answer = await check(failed.trade_no)
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
})

test('a provider that cannot say is told as such, and nothing is credited', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars()
  const { tradeNo: product } = await stage.buyProduct()
  stage.checkouts.set(String(session.id), { id: 5 })
  stage.creem.script({ body: 'no json' })
  for (const trade_no of [tradeNo, product]) {
    const { status, body } = await stage.asBob('POST', '/api/user/topup/check', { trade_no })
    expect([status, body.code]).toEqual([502, 'upstream_error'])
  }
  expect(await stage.balance()).toBe(0)
})
