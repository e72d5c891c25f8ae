import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse, shared } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const key = '0123456789abcdef0123456789abcdef'
const code = {
  id: 5,
  user_id: 1,
  key,
  status: 1,
  name: 'workshop',
  quota: 2_500_000,
  created_time: 1_767_225_600,
  redeemed_time: 0,
  expired_time: 0,
  used_user_id: 0,
  used_username: '',
  is_expired: false,
  count: 0,
  DeletedAt: null,
}
const used = {
  ...code,
  id: 6,
  name: 'gone',
  status: 3,
  redeemed_time: 1_767_225_700,
  used_user_id: 3,
  used_username: 'bob',
}
const list = (items: unknown[], total = items.length) => ({ page: 1, page_size: 50, total, items })
const nothingSold = {
  enable_online_topup: false,
  enable_stripe_topup: false,
  enable_creem_topup: false,
  creem_products: '[]',
  pay_methods: [],
  min_topup: 1,
  stripe_min_topup: 1,
  stripe_credit_factor: 1,
  amount_options: [],
  discount: {},
}
const common = { id: 3, username: 'bob', role: 1, quota: 500_000 }
const inputs = (gateway: ReturnType<typeof createFakeGateway>, name: string) =>
  gateway.calls.filter((call) => call.name === name).map((call) => call.input)

test('a redeemed code says what it brought and the new balance, and the field is empty again', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.info': () => nothingSold,
    'topup.redeem': () => {
      gateway.answer('user.self', () => ({ ...common, quota: 3_000_000 }))
      return 2_500_000
    },
  })
  const user = renderConsole(gateway, '/redeem')
  await screen.findByText('$1.00')
  const field = screen.getByLabelText('Code')
  await user.type(field, ` ${key} `)
  // Leaving would lose it.
  await user.click(screen.getByRole('link', { name: 'Calls' }))
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(field).toHaveProperty('value', ` ${key} `)
  await user.click(screen.getByRole('button', { name: 'Redeem' }))
  const note = await screen.findByText(/\$5\.00 credited\./)
  expect(note.textContent).toContain('Your balance is now $6.00.')
  expect(inputs(gateway, 'topup.redeem')).toEqual([{ key }])
  expect(field).toHaveProperty('value', '')
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false)
  // Codes are for administrators, and nothing is sold here.
  expect(screen.queryByRole('heading', { name: 'Codes' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Buy balance' })).toBeNull()
})

test('a code that was redeemed a moment ago is a used one in the list', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'topup.info': () => nothingSold,
    'redemption.search': () => list([code]),
    'topup.redeem': () => {
      gateway.answer('redemption.search', () => list([{ ...code, status: 3 }]))
      return 2_500_000
    },
  })
  const user = renderConsole(gateway, '/codes')
  await screen.findByRole('switch', { name: /workshop/ })
  await user.click(screen.getByRole('link', { name: 'Redeem' }))
  await user.type(await screen.findByLabelText('Code'), key)
  await user.click(screen.getByRole('button', { name: 'Redeem' }))
  await screen.findByText(/\$5\.00 credited\./)
  await user.click(screen.getByRole('link', { name: 'Codes' }))
  await screen.findByText('workshop')
  await waitFor(() => expect(screen.queryByRole('switch', { name: /workshop/ })).toBeNull())
})

test('a refused code stays in the field with the reason', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.redeem': () => refuse('This code has been used already.', 'key', 409),
  })
  const user = renderConsole(gateway, '/redeem')
  await user.type(await screen.findByLabelText('Code'), key)
  await user.click(screen.getByRole('button', { name: 'Redeem' }))
  expect(await screen.findByText('This code has been used already.')).toBeTruthy()
  expect(screen.getByLabelText('Code')).toHaveProperty('value', key)
})

test('an order at Stripe names its price and its credit before, and leads to the checkout after', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'status.get': () => ({ stripe_unit_price: 8 }),
    'topup.info': () => ({
      ...nothingSold,
      enable_stripe_topup: true,
      stripe_min_topup: 10,
      stripe_credit_factor: 0.5,
      amount_options: [5, 10, 100],
      discount: { '100': 0.9 },
    }),
    'stripe.pay': () => ({ pay_link: 'https://checkout.stripe.example/c/1' }),
  })
  const user = renderConsole(gateway, '/redeem')
  // Stripe charges the whole price, whatever discount clients of new-api show.
  await user.click(await screen.findByRole('button', { name: '$100' }))
  expect(screen.queryByRole('button', { name: '$5' })).toBeNull()
  await screen.findByText(/^Adds \$50\.00 for about 800\.00;/)
  const amount = screen.getByLabelText('Balance to buy')
  await user.clear(amount)
  await user.type(amount, '9')
  await screen.findByText('A whole number of dollars, 10 to 10,000.')
  expect(screen.getByRole('button', { name: 'Pay with Stripe' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: '$100' }))
  await user.click(screen.getByRole('button', { name: 'Pay with Stripe' }))
  const link = await screen.findByRole('link', { name: 'Pay at Stripe' })
  expect(link.getAttribute('href')).toBe('https://checkout.stripe.example/c/1')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(inputs(gateway, 'stripe.pay')).toEqual([{ amount: 100, payment_method: 'stripe' }])
})

test('the balance follows a payment that arrives', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.info': () => nothingSold,
  })
  renderConsole(gateway, '/redeem')
  await screen.findByText('$1.00')
  gateway.answer('user.self', () => ({ ...common, quota: 10_500_000 }))
  gateway.push('calls')
  expect(await screen.findByText('$21.00')).toBeTruthy()
})

test('a package of Creem shows its price and what it brings', async () => {
  const product = { productId: 'prod_1', name: 'Small', price: 9.5, currency: 'EUR', quota: 5e6 }
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => common,
    'topup.info': () => ({
      ...nothingSold,
      enable_creem_topup: true,
      creem_products: JSON.stringify([product]),
    }),
    'creem.pay': () => refuse('Creem does not answer. Try again later.', undefined, 502),
  })
  const user = renderConsole(gateway, '/redeem')
  await user.click(await screen.findByRole('button', { name: 'Buy Small for €9.50' }))
  expect(screen.getByText('Adds $10.00')).toBeTruthy()
  expect(await screen.findByText('Creem does not answer. Try again later.')).toBeTruthy()
  expect(inputs(gateway, 'creem.pay')).toEqual([{ product_id: 'prod_1', payment_method: 'creem' }])
})

test('new codes are made in the wire’s units and shown once more, to copy or keep', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'redemption.search': () => list([]),
    'redemption.create': () => [key, key.replaceAll('0', 'f')],
  })
  const user = renderConsole(gateway, '/codes?new=1')
  const drawer = await screen.findByRole('dialog')
  await user.type(await within(drawer).findByLabelText('Label'), 'workshop')
  const count = within(drawer).getByLabelText('Quantity')
  await user.clear(count)
  await user.type(count, '2')
  const worth = within(drawer).getByLabelText('Value')
  await user.clear(worth)
  expect(within(drawer).getByText('Enter more than $0.')).toBeTruthy()
  await user.type(worth, '2.5')
  await user.click(within(drawer).getByRole('button', { name: 'Create codes' }))
  expect((await screen.findByLabelText('New codes')).textContent).toContain(key)
  expect(screen.getByRole('heading', { name: 'Your 2 new codes' })).toBeTruthy()
  expect(inputs(gateway, 'redemption.create')).toEqual([
    { name: 'workshop', count: 2, quota: 1_250_000, expired_time: 0 },
  ])
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(document.body.textContent).not.toContain(key))
})

test('a used code has no switch, and only its label can still be changed', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'redemption.search': () => list([code, used, { ...used, id: 7, used_username: '' }]),
    'redemption.get': () => used,
    'redemption.update': () => used,
  })
  const user = renderConsole(gateway, '/codes?open=6')
  const drawer = await screen.findByRole('dialog')
  const label = await within(drawer).findByLabelText('Label')
  expect(within(drawer).getByLabelText('Value')).toHaveProperty('disabled', true)
  await user.clear(label)
  await user.type(label, 'given away')
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(inputs(gateway, 'redemption.update')).toEqual([{ id: 6, name: 'given away' }]),
  )
  expect(screen.getByLabelText('Code workshop #5 is on')).toBeTruthy()
  expect(screen.queryByLabelText('Code gone #6 is on')).toBeNull()
  // The second was redeemed by someone who was deleted since.
  expect(screen.getByText(/ by bob$/)).toBeTruthy()
  expect(screen.getByText(/ by #3$/)).toBeTruthy()
})

test('deleting invalid codes names how many they are before it is done', async () => {
  const totals: Record<string, number> = { '': 30, '1': 6 }
  const gateway = createFakeGateway({
    ...shared,
    'redemption.search': (({ status = '' }: { status?: string }) =>
      list([code], totals[status] ?? 1)) as never,
    'redemption.delete-invalid': () => 24,
  })
  const user = renderConsole(gateway, '/codes')
  await user.click(await screen.findByRole('button', { name: 'Delete invalid codes' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText(/^Delete 24 codes that are used, disabled or expired\?/)
  await user.click(within(dialog).getByRole('button', { name: 'Delete invalid codes' }))
  await waitFor(() => expect(inputs(gateway, 'redemption.delete-invalid')).toHaveLength(1))
})
