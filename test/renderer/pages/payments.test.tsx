import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse, shared } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const order = {
  id: 1,
  user_id: 3,
  username: 'bob',
  amount: 10_000_000,
  money: 19,
  trade_no: 'ref_00112233445566778899',
  payment_method: 'creem',
  payment_provider: 'creem',
  currency: 'eur',
  price: 19,
  credit: 10_000_000,
  create_time: 1_767_225_600,
  complete_time: 0,
  has_checkout: true,
  checkout_url: 'https://checkout.example.com/ch_1',
  status: 'pending',
  clawed_back: 0,
  note: '',
  notes: [],
}
const refunded = {
  ...order,
  id: 2,
  trade_no: 'ref_refunded00000000000',
  checkout_url: '',
  status: 'refunded',
  complete_time: 1_767_225_900,
  clawed_back: 2_500_000,
  price: null,
  payment_provider: 'stripe',
  note: 'A quarter was refunded.',
  notes: [{ message: 'A quarter was refunded.' }],
}
const list = (items: unknown[]) => ({ page: 1, page_size: 30, total: items.length, items })
const common = { id: 3, username: 'bob', role: 1, quota: 0 }
const inputs = (gateway: ReturnType<typeof createFakeGateway>, name: string) =>
  gateway.calls.filter((call) => call.name === name).map((call) => call.input)

test('an unpaid order leads to its checkout; without one there is nothing to ask of its provider', async () => {
  const failed = { ...order, id: 2, trade_no: 'ref_failed', status: 'failed' }
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([order, { ...failed, has_checkout: false, checkout_url: '' }]),
  })
  renderConsole(gateway, '/payments')
  const pay = await screen.findByRole('link', { name: `Pay order ${order.trade_no}` })
  expect(pay.getAttribute('href')).toBe(order.checkout_url)
  expect(screen.getAllByRole('button', { name: /^Check payment of/ })).toHaveLength(1)
  expect(screen.queryByRole('link', { name: 'Pay order ref_failed' })).toBeNull()
})

test('an order waits with a verb while its provider is asked, and can be left', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([order]),
    'topup.check': () => new Promise(() => {}),
  })
  const user = renderConsole(gateway, '/payments')
  await user.click(
    await screen.findByRole('button', { name: `Check payment of ${order.trade_no}` }),
  )
  const row = screen.getAllByRole('row')[1] as HTMLElement
  expect(within(row).getByRole('status').textContent).toBe('Asking the provider…')
  expect(within(row).getByText('€19.00')).toBeTruthy()
  expect(within(row).getByText('$20.00')).toBeTruthy()
  // Nothing came in yet: that is unknown, not a date of 1970.
  expect(within(row).getByText('–')).toBeTruthy()
  await user.click(within(row).getByRole('button', { name: 'Cancel' }))
  expect(within(row).queryByRole('status')).toBeNull()
  expect(inputs(gateway, 'topup.check')).toEqual([{ trade_no: order.trade_no }])
  // Completing by hand is for administrators, and so is what others ordered.
  expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull()
  expect(inputs(gateway, 'topup.list')).toEqual([])
})

test('what was taken back and what was noted of an order is visible', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([refunded]),
  })
  renderConsole(gateway, '/payments')
  expect(await screen.findByText('$5.00 of the credit was clawed back.')).toBeTruthy()
  expect(screen.getByText('A quarter was refunded.')).toBeTruthy()
  expect(screen.getByText('partly refunded')).toBeTruthy()
  // The provider has told no price: unknown, not the dollars of quota.
  expect(screen.queryByText('€19.00')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Check payment/ })).toBeNull()
})

test('what was noted is said in Chinese; what has no code as it was written', async () => {
  const byHand = { code: 'order_completed_by', user: 'ada' }
  const notes = [{ message: 'It was refused.' }, { message: 'Completed by hand.', reason: byHand }]
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([{ ...refunded, notes }]),
  })
  renderConsole(gateway, '/payments', undefined, 'zh')
  expect(await screen.findByText('It was refused. 由 ada 手动完成。')).toBeTruthy()
})

test('a check that finds nothing new says so', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([order]),
    'topup.check': () => order,
  })
  const user = renderConsole(gateway, '/payments')
  await user.click(
    await screen.findByRole('button', { name: `Check payment of ${order.trade_no}` }),
  )
  expect(await screen.findByText('Creem reports no change to this order.')).toBeTruthy()
})

test('completing by hand names what is credited to whom, and shows a refusal', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'topup.list': () => list([order, refunded]),
    'topup.complete': () => refuse('The order has expired.', undefined, 409),
  })
  const user = renderConsole(gateway, '/payments')
  await user.click(
    await screen.findByRole('button', { name: `More actions for ${order.trade_no}` }),
  )
  await user.click(await screen.findByRole('menuitem', { name: 'Complete manually' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/\$20\.00 is credited to bob at once/)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Complete manually' }))
  expect(await within(dialog).findByText('The order has expired.')).toBeTruthy()
  expect(inputs(gateway, 'topup.complete')).toEqual([{ trade_no: order.trade_no }])
  expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeTruthy()
})

test('after a part was refunded, the rest can be looked for, and what it took back is a change', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'topup.list': () => list([refunded]),
    'topup.check': () => ({ ...refunded, clawed_back: 10_000_000 }),
  })
  const user = renderConsole(gateway, '/payments')
  const more = { name: `More actions for ${refunded.trade_no}` }
  await user.click(await screen.findByRole('button', more))
  gateway.answer('topup.list', () => list([{ ...refunded, clawed_back: 10_000_000 }]))
  await user.click(await screen.findByRole('menuitem', { name: 'Check refunds' }))
  expect(await screen.findByText('$20.00 of the credit was clawed back.')).toBeTruthy()
  expect(screen.getByText('refunded')).toBeTruthy()
  expect(screen.queryByText(/reports no change/)).toBeNull()
})

test('a payment that arrives shows without a reload', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([order]),
  })
  renderConsole(gateway, '/payments')
  await screen.findByText('unpaid')
  gateway.answer('topup.list-self', () => list([{ ...order, status: 'success' }]))
  gateway.push('calls')
  expect(await screen.findByText('paid')).toBeTruthy()
})

test('a search without a match says so, and not that there are no orders', async () => {
  const gateway = createFakeGateway({ ...shared, 'topup.list': () => list([]) })
  renderConsole(gateway, '/payments?q=nobody')
  expect(await screen.findByText('No order matches “nobody”')).toBeTruthy()
})

const nothingSold = {
  enable_stripe_topup: false,
  enable_creem_topup: false,
  creem_products: '[]',
}

test('a user has no Payments in the navigation while nothing can be bought and nothing was', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list([]),
    'topup.info': () => nothingSold,
  })
  renderConsole(gateway, '/payments')
  await screen.findByText('No orders yet')
  await screen.findByRole('link', { name: 'Usage' })
  expect(screen.queryByRole('link', { name: 'Payments' })).toBeNull()
})

test.each([
  ['something can be bought', { ...nothingSold, enable_creem_topup: true }, []],
  ['something was bought', nothingSold, [order]],
])('Payments is in the navigation when %s', async (_when, info, orders) => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.list-self': () => list(orders),
    'topup.info': () => info,
  })
  renderConsole(gateway, '/redeem')
  expect(await screen.findByRole('link', { name: 'Payments' })).toBeTruthy()
})
