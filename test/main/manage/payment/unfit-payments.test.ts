import { expect, test, vi } from 'vitest'
import { DOLLAR, paidCheckout, paidSession, startPaymentStage } from './payment-stage.ts'

const complete = { method: 'POST', path: '/api/user/topup/complete' }

test('an order completed by hand, whose payment at Stripe was less, loses its credit with a dispute', async () => {
  const { buyDollars, stripeEvent, owner, balance, order } = await startPaymentStage()
  const { tradeNo, session } = await buyDollars(2)
  const paid = paidSession(session, { amount_total: 1200 })
  await stripeEvent('checkout.session.completed', paid)
  expect(await order(tradeNo)).toMatchObject({ status: 'pending', complete_time: 0 })
  await owner.send(complete.method, complete.path, { trade_no: tradeNo })
  expect(await balance()).toBe(2 * DOLLAR)
  const dispute = { id: 'dp_1', payment_intent: paid.payment_intent, amount: 600, currency: 'usd' }
  await stripeEvent('charge.dispute.created', dispute)
  expect(await balance()).toBe(DOLLAR)
  expect(await order(tradeNo)).toMatchObject({ status: 'disputed', clawed_back: DOLLAR })
})

test('an order completed by hand before such a payment is told, too, and a refund told before both', async () => {
  const { buyDollars, stripeEvent, owner, balance, order } = await startPaymentStage()
  const { tradeNo, session } = await buyDollars(2)
  const paid = paidSession(session, { amount_total: 1200 })
  const charge = { id: 'ch_1', payment_intent: paid.payment_intent, amount: 1200, currency: 'usd' }
  await stripeEvent('charge.refunded', { ...charge, amount_refunded: 1200 })
  await owner.send(complete.method, complete.path, { trade_no: tradeNo })
  expect(await balance()).toBe(2 * DOLLAR)
  await stripeEvent('checkout.session.completed', paid)
  expect(await balance()).toBe(0)
  expect(await order(tradeNo)).toMatchObject({ status: 'refunded' })
})

test('Creem’s refund of a payment that did not fit takes back what was completed by hand', async () => {
  const { buyProduct, creemEvent, owner, balance, order } = await startPaymentStage()
  const { tradeNo, checkout } = await buyProduct()
  const paid = paidCheckout(checkout, {}, { amount: 900, amount_paid: 900 })
  await creemEvent('checkout.completed', paid)
  await owner.send(complete.method, complete.path, { trade_no: tradeNo })
  const refund = { id: 'ref_1', refund_amount: 900, refund_currency: 'EUR' }
  await creemEvent('refund.created', { ...refund, order: `ord_${checkout.id}` })
  expect(await balance()).toBe(0)
  expect(await order(tradeNo)).toMatchObject({ status: 'refunded' })
})

test('the payment of another checkout is none of the order’s', async () => {
  const { buyDollars, stripeEvent, owner, balance } = await startPaymentStage()
  const { tradeNo, session } = await buyDollars(2)
  const paid = paidSession({ ...session, id: 'cs_other' })
  await stripeEvent('checkout.session.completed', paid)
  await owner.send(complete.method, complete.path, { trade_no: tradeNo })
  const dispute = { id: 'dp_1', payment_intent: paid.payment_intent, amount: 600, currency: 'usd' }
  await stripeEvent('charge.dispute.created', dispute)
  expect(await balance()).toBe(2 * DOLLAR)
})

test('a payment of an order that was here once is in the log, of others’ orders nothing', async () => {
  const { buyProduct, buyDollars, creemEvent, stripeEvent, gateway } = await startPaymentStage()
  const warn = vi.spyOn(gateway.parts.log, 'warn')
  const lost = `ref_${'0a'.repeat(20)}`
  const { checkout } = await buyProduct()
  const { session } = await buyDollars()
  for (const tradeNo of [lost, 'somebody else’s']) {
    const paid = paidCheckout(checkout, { request_id: tradeNo })
    expect(await creemEvent('checkout.completed', paid)).toBe(400)
    const other = paidSession(session, { client_reference_id: tradeNo })
    expect(await stripeEvent('checkout.session.completed', other)).toBe(200)
  }
  expect(warn.mock.calls).toEqual([
    [{ order: lost, provider: 'creem' }, 'payment of unknown order'],
    [{ order: lost, provider: 'stripe' }, 'payment of unknown order'],
  ])
})

test('a payment for a user who was deleted since is told to the owner, who can refund it', async () => {
  const { buyDollars, stripeEvent, gateway, order, rows } = await startPaymentStage()
  const { tradeNo, session } = await buyDollars(2)
  const bob = gateway.parts.users.all().find(({ username }) => username === 'bob')
  gateway.parts.users.remove(bob?.id ?? 0)
  const expired = { ...session, status: 'expired' }
  await stripeEvent('checkout.session.expired', expired)
  await stripeEvent('checkout.session.completed', paidSession(session))
  const { notes, status } = await order(tradeNo)
  expect(status).toBe('success')
  expect(notes).toMatchObject([
    { reason: { code: 'order_paid_after_expiry' } },
    { reason: { code: 'order_user_deleted' } },
  ])
  const [told] = await rows(4)
  expect(told).toMatchObject({ username: 'ada', content: expect.stringContaining('was deleted') })
})
