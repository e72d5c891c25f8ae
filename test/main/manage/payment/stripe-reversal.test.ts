import { expect, test } from 'vitest'
import { DOLLAR, type PaymentStage, paidSession, startPaymentStage } from './payment-stage.ts'

const COMPLETED = 'checkout.session.completed'

type Json = Record<string, unknown>

const charge = (session: Json, amount_refunded: number): Json => ({
  id: `ch_${session.id}`,
  object: 'charge',
  payment_intent: `pi_${session.id}`,
  amount: 1600,
  amount_refunded,
  currency: 'usd',
})

const refund = (session: Json, id: string, amount: number, fields: Json = {}): Json => ({
  id,
  object: 'refund',
  charge: `ch_${session.id}`,
  payment_intent: `pi_${session.id}`,
  amount,
  currency: 'usd',
  status: 'succeeded',
  ...fields,
})

const dispute = (session: Json, amount: number, fields: Json = {}): Json => ({
  id: `dp_${session.id}`,
  object: 'dispute',
  payment_intent: `pi_${session.id}`,
  amount,
  currency: 'usd',
  ...fields,
})

async function startPaid() {
  const stage = await startPaymentStage()
  const { tradeNo, session } = await stage.buyDollars(2)
  await stage.stripeEvent(COMPLETED, paidSession(session))
  return { stage, tradeNo, session }
}

const takenBack = async (stage: PaymentStage): Promise<number> =>
  (await stage.rows(6)).reduce((sum, { quota }) => sum + Number(quota), 0)

test('a refund takes its part back once, however many events tell of it', async () => {
  const { stage, tradeNo, session } = await startPaid()
  const part = refund(session, 're_1', 400)
  for (const [type, object] of [
    ['refund.created', part],
    ['charge.refunded', charge(session, 400)],
    ['refund.created', part],
    ['charge.refunded', charge(session, 400)],
  ] as const) {
    expect(await stage.stripeEvent(type, object)).toBe(200)
  }
  expect(await stage.balance()).toBe(1.5 * DOLLAR)
  expect(await stage.rows(6)).toHaveLength(1)
  expect((await stage.rows(6))[0]).toMatchObject({ quota: -0.5 * DOLLAR, username: 'bob' })
  expect(await stage.order(tradeNo)).toMatchObject({
    status: 'refunded',
    clawed_back: 0.5 * DOLLAR,
  })
})

test('several refunds add up, and never to more than was credited', async () => {
  const { stage, session } = await startPaid()
  await stage.stripeEvent('refund.created', refund(session, 're_1', 400))
  await stage.stripeEvent('refund.created', refund(session, 're_2', 400))
  expect(await stage.balance()).toBe(DOLLAR)
  // The telling of the first refund comes last, and says less than is known.
  await stage.stripeEvent('charge.refunded', charge(session, 400))
  expect(await stage.balance()).toBe(DOLLAR)
  await stage.stripeEvent('charge.refunded', charge(session, 1600))
  await stage.stripeEvent('charge.dispute.created', dispute(session, 1600))
  expect(await stage.balance()).toBe(0)
  expect(await takenBack(stage)).toBe(-2 * DOLLAR)
})

test('a refund of a charge in another currency takes back its part of that charge', async () => {
  const { stage, session } = await startPaid()
  const inEuros = { ...charge(session, 350), amount: 1400, currency: 'eur' }
  await stage.stripeEvent('charge.refunded', inEuros)
  expect(await stage.balance()).toBe(1.5 * DOLLAR)
})

test('a smaller sum of all refunds that is told late gives nothing back', async () => {
  const { stage, session } = await startPaid()
  await stage.stripeEvent('charge.refunded', charge(session, 800))
  await stage.stripeEvent('charge.refunded', charge(session, 400))
  expect(await stage.balance()).toBe(DOLLAR)
})

test('a refund takes nothing from another order whose checkout is not known', async () => {
  const stage = await startPaymentStage()
  const { tradeNo: byHand } = await stage.buyDollars(5)
  // As where the answer that named it was lost.
  const forget = "UPDATE orders SET checkout_id = '' WHERE trade_no = ?"
  stage.gateway.parts.ledger.transact(({ run }) => run(forget, byHand))
  await stage.owner.send('POST', '/api/user/topup/complete', { trade_no: byHand })
  const { tradeNo, session } = await stage.buyDollars(2)
  await stage.stripeEvent(COMPLETED, paidSession(session))
  await stage.stripeEvent('refund.created', refund(session, 're_1', 1600))
  expect(await stage.order(byHand)).toMatchObject({ status: 'success', clawed_back: 0 })
  expect(await stage.order(tradeNo)).toMatchObject({ status: 'refunded' })
  expect(await stage.balance()).toBe(5 * DOLLAR)
})

test.each(['refund.created', 'charge.refunded', 'charge.dispute.created'])(
  '%s before the payment is known takes back when it is',
  async (type) => {
    const stage = await startPaymentStage()
    const { tradeNo, session } = await stage.buyDollars(2)
    const object =
      type === 'refund.created'
        ? refund(session, 're_1', 1600)
        : type === 'charge.refunded'
          ? charge(session, 1600)
          : dispute(session, 1600)
    for (let turn = 0; turn < 2; turn++) expect(await stage.stripeEvent(type, object)).toBe(200)
    expect((await stage.order(tradeNo)).status).toBe('pending')
    for (let turn = 0; turn < 2; turn++) {
      expect(await stage.stripeEvent(COMPLETED, paidSession(session))).toBe(200)
    }
    expect(await stage.balance()).toBe(0)
    expect(await stage.rows(1)).toHaveLength(1)
    expect(await stage.rows(6)).toHaveLength(1)
    const status = type === 'charge.dispute.created' ? 'disputed' : 'refunded'
    expect(await stage.order(tradeNo)).toMatchObject({ status, clawed_back: 2 * DOLLAR })
  },
)

test('a dispute takes back what was used already, so that the balance is negative', async () => {
  const { stage, tradeNo, session } = await startPaid()
  const { users } = stage.gateway.parts
  users.update(2, { quota: -DOLLAR })
  expect(await stage.stripeEvent('charge.dispute.created', dispute(session, 1600))).toBe(200)
  expect(await stage.stripeEvent('charge.dispute.created', dispute(session, 1600))).toBe(200)
  expect(await stage.balance()).toBe(-DOLLAR)
  expect((await stage.order(tradeNo)).status).toBe('disputed')
})

test('a dispute in another currency takes back all, since its part cannot be known', async () => {
  const { stage, session } = await startPaid()
  await stage.stripeEvent('charge.dispute.created', dispute(session, 20, { currency: 'eur' }))
  expect(await stage.balance()).toBe(0)
})

test('a refund that failed, and one of a payment that is not ours, take nothing', async () => {
  const { stage, tradeNo, session } = await startPaid()
  const failed = refund(session, 're_1', 1600, { status: 'failed' })
  expect(await stage.stripeEvent('refund.created', failed)).toBe(200)
  const other = refund(session, 're_2', 1600, { payment_intent: 'pi_other' })
  expect(await stage.stripeEvent('refund.created', other)).toBe(200)
  const none = refund(session, 're_3', 1600, { payment_intent: null })
  expect(await stage.stripeEvent('refund.created', none)).toBe(200)
  expect(await stage.stripeEvent('charge.refunded', charge(session, 0))).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect((await stage.order(tradeNo)).status).toBe('success')
})

test('a payment that is told again after its refund is not credited again', async () => {
  const { stage, tradeNo, session } = await startPaid()
  await stage.stripeEvent('charge.refunded', charge(session, 1600))
  await stage.stripeEvent(COMPLETED, paidSession(session))
  await stage.stripeEvent('checkout.session.expired', { ...session, status: 'expired' })
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).status).toBe('refunded')
})

test.each(['won', 'prevented', 'warning_closed'])(
  'a dispute that ends as %s gives back what it took, once, and whatever comes late',
  async (status) => {
    const { stage, tradeNo, session } = await startPaid()
    await stage.stripeEvent('charge.dispute.created', dispute(session, 1600))
    expect(await stage.balance()).toBe(0)
    const won = dispute(session, 1600, { status })
    await stage.stripeEvent('charge.dispute.closed', won)
    await stage.stripeEvent('charge.dispute.funds_reinstated', won)
    await stage.stripeEvent('charge.dispute.updated', dispute(session, 1600))
    expect(await stage.balance()).toBe(2 * DOLLAR)
    const rows = (await stage.rows(6)).map(({ quota }) => Number(quota))
    expect(rows.toSorted((one, other) => one - other)).toEqual([-2 * DOLLAR, 2 * DOLLAR])
    expect(await stage.order(tradeNo)).toMatchObject({ status: 'success', clawed_back: 0 })
  },
)

test('a dispute that was lost stays taken, and one won before the payment is known takes nothing', async () => {
  const { stage, tradeNo, session } = await startPaid()
  await stage.stripeEvent('charge.dispute.created', dispute(session, 1600))
  await stage.stripeEvent('charge.dispute.closed', dispute(session, 1600, { status: 'lost' }))
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).status).toBe('disputed')

  const next = await stage.buyDollars(2)
  const won = dispute(next.session, 1600, { status: 'won' })
  await stage.stripeEvent('charge.dispute.closed', won)
  await stage.stripeEvent('charge.dispute.created', dispute(next.session, 1600))
  await stage.stripeEvent(COMPLETED, paidSession(next.session))
  expect(await stage.balance()).toBe(2 * DOLLAR)
  expect((await stage.order(next.tradeNo)).status).toBe('success')
})

test.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])(
  'a refund that %s tells to have failed is given back, and another one stays taken',
  async (type) => {
    const { stage, tradeNo, session } = await startPaid()
    await stage.stripeEvent('refund.created', refund(session, 're_1', 400))
    await stage.stripeEvent('refund.created', refund(session, 're_2', 800, { status: 'pending' }))
    await stage.stripeEvent('charge.refunded', charge(session, 1200))
    expect(await stage.balance()).toBe(0.5 * DOLLAR)
    await stage.stripeEvent(type, refund(session, 're_2', 800, { status: 'failed' }))
    expect(await stage.balance()).toBe(1.5 * DOLLAR)
    expect(await stage.order(tradeNo)).toMatchObject({
      status: 'refunded',
      clawed_back: 0.5 * DOLLAR,
    })
    await stage.stripeEvent('refund.created', refund(session, 're_3', 1200))
    expect(await stage.balance()).toBe(0)
  },
)

test('an inquiry takes nothing until it becomes a dispute', async () => {
  const { stage, tradeNo, session } = await startPaid()
  const asked = dispute(session, 1600, { status: 'warning_needs_response' })
  expect(await stage.stripeEvent('charge.dispute.created', asked)).toBe(200)
  expect(await stage.balance()).toBe(2 * DOLLAR)
  const disputed = dispute(session, 1600, { status: 'needs_response' })
  await stage.stripeEvent('charge.dispute.funds_withdrawn', disputed)
  expect(await stage.balance()).toBe(0)
  expect((await stage.order(tradeNo)).status).toBe('disputed')
})
