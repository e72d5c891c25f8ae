import { expect, test } from 'vitest'
import { reversalsOfTransaction } from '../../../../main/manage/payment/creem/creem-reversal.ts'
import { paidCheckout, startPaymentStage } from './payment-stage.ts'

const COMPLETED = 'checkout.completed'
const UNITS = 6_000_000

type Json = Record<string, unknown>

const refund = (checkout: Json, fields: Json = {}): Json => ({
  id: `ref_${checkout.id}`,
  object: 'refund',
  status: 'succeeded',
  refund_amount: 500,
  refund_currency: 'EUR',
  reason: 'requested_by_customer',
  transaction: {
    id: 'tran_1',
    amount: 1000,
    amount_paid: 1000,
    currency: 'EUR',
    order: `ord_${checkout.id}`,
  },
  ...fields,
})

const dispute = (checkout: Json, fields: Json = {}): Json => ({
  id: `disp_${checkout.id}`,
  object: 'dispute',
  amount: 1000,
  currency: 'EUR',
  transaction: {
    id: 'tran_1',
    amount_paid: 1000,
    currency: 'EUR',
    status: 'chargeback',
    order: `ord_${checkout.id}`,
  },
  ...fields,
})

test('a refund takes its part back once and marks the order', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  for (let turn = 0; turn < 2; turn++) {
    expect(await stage.creemEvent('refund.created', refund(checkout))).toBe(200)
  }
  expect(await stage.balance()).toBe(UNITS / 2)
  expect(await stage.order(tradeNo)).toMatchObject({ status: 'refunded', clawed_back: UNITS / 2 })
  const rows = await stage.rows(6)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ quota: -UNITS / 2, username: 'bob' })
})

test('a refund that tells neither a currency nor all that was paid takes its part back', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  const transaction = { order: `ord_${checkout.id}` }
  await stage.creemEvent('refund.created', refund(checkout, { refund_currency: null, transaction }))
  expect(await stage.balance()).toBe(UNITS / 2)
})

test('a refund in another currency, of which nobody knows the whole, takes all back', async () => {
  for (const transaction of [{}, { amount_paid: 2000, currency: 'EUR' }]) {
    const stage = await startPaymentStage()
    const { checkout } = await stage.buyProduct()
    await stage.creemEvent(COMPLETED, paidCheckout(checkout))
    const named = { ...transaction, order: `ord_${checkout.id}` }
    const other = refund(checkout, { refund_currency: 'USD', transaction: named })
    await stage.creemEvent('refund.created', other)
    expect(await stage.balance()).toBe(0)
  }
})

test('a refund that was canceled takes nothing', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  for (const status of ['canceled', 'failed'])
    await stage.creemEvent('refund.created', refund(checkout, { id: status, status }))
  expect(await stage.order(tradeNo)).toMatchObject({ status: 'success', clawed_back: 0 })
})

test('a transaction that is refunded without an amount lost all that was paid', () => {
  const transaction = { id: 'tran_1', amount: 1000, amount_paid: 1200, currency: 'EUR' }
  const lost = (status: string) => reversalsOfTransaction({ ...transaction, status }, 'ord_1')
  expect(lost('paid')).toEqual([])
  expect(lost('refunded')).toMatchObject([{ kind: 'refunded', amount: 1200, paidAmount: 1200 }])
})

test('a refund of a taxed payment is measured against all that was paid', async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  const transaction = { order: `ord_${checkout.id}`, amount_paid: 2000, currency: 'EUR' }
  await stage.creemEvent('refund.created', refund(checkout, { transaction }))
  expect(await stage.balance()).toBe((UNITS * 3) / 4)
})

test.each([
  ['its order whole', { transaction: 'tran_1' }, (id: string) => ({ order: { id: `ord_${id}` } })],
  ["its order's id", { transaction: 'tran_1' }, (id: string) => ({ order: `ord_${id}` })],
  ['its checkout whole', { transaction: 'tran_1' }, (id: string) => ({ checkout: { id } })],
  ["its checkout's id", { transaction: 'tran_1' }, (id: string) => ({ checkout: id })],
])('a refund that names %s is found', async (_what, fields, named) => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  const object = refund(checkout, { ...fields, ...named(String(checkout.id)) })
  expect(await stage.creemEvent('refund.created', object)).toBe(200)
  expect(await stage.balance()).toBe(UNITS / 2)
})

test('a dispute takes all back once, also after a refund, and stays the last word', async () => {
  const stage = await startPaymentStage()
  const { tradeNo, checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  await stage.creemEvent('refund.created', refund(checkout))
  for (let turn = 0; turn < 2; turn++) {
    expect(await stage.creemEvent('dispute.created', dispute(checkout))).toBe(200)
  }
  await stage.creemEvent('refund.created', refund(checkout, { id: 'ref_2' }))
  expect(await stage.balance()).toBe(0)
  expect(await stage.order(tradeNo)).toMatchObject({ status: 'disputed', clawed_back: UNITS })
})

test.each(['refund.created', 'dispute.created'])(
  '%s before the payment is known takes back when it is',
  async (type) => {
    const stage = await startPaymentStage()
    const { tradeNo, checkout } = await stage.buyProduct()
    const object = type === 'refund.created' ? refund(checkout) : dispute(checkout)
    expect(await stage.creemEvent(type, object)).toBe(200)
    expect(await stage.balance()).toBe(0)
    expect((await stage.order(tradeNo)).status).toBe('pending')
    expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout))).toBe(200)
    expect(await stage.balance()).toBe(type === 'refund.created' ? UNITS / 2 : 0)
    expect(await stage.creemEvent(COMPLETED, paidCheckout(checkout))).toBe(200)
    expect(await stage.rows(1)).toHaveLength(1)
    expect(await stage.rows(6)).toHaveLength(1)
  },
)

test("a refund of a provider never touches the other's order", async () => {
  const stage = await startPaymentStage()
  const { checkout } = await stage.buyProduct()
  await stage.creemEvent(COMPLETED, paidCheckout(checkout))
  const foreign = {
    id: 're_1',
    payment_intent: `ord_${checkout.id}`,
    amount: 1000,
    currency: 'eur',
    status: 'succeeded',
  }
  expect(await stage.stripeEvent('refund.created', foreign)).toBe(200)
  expect(await stage.balance()).toBe(UNITS)
})
