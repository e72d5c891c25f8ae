import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const record = {
  id: 3,
  username: 'bob',
  display_name: '',
  role: 1,
  status: 1,
  email: '',
  group: 'default',
  quota: 1_000_000,
  used_quota: 0,
  unpriced_calls: 4,
  estimated_calls: 0,
  request_count: 4,
  two_factor_enabled: false,
  created_time: 1_767_225_600,
  DeletedAt: null,
}
const owner = { ...record, id: 1, username: 'owner', role: 100 }
const administrator = { ...record, id: 2, username: 'ada', role: 10 }
const list = (items: unknown[]) => ({ page: 1, page_size: 50, total: items.length, items })

const gatewayOf = (self: object, answers: Parameters<typeof createFakeGateway>[0] = {}) =>
  createFakeGateway({
    'user.self': () => self,
    'user.search': () => list([record, administrator, owner]),
    'user.get': () => record,
    'group.list': () => ['default', 'vip'],
    ...answers,
  })
const inputs = (gateway: ReturnType<typeof createFakeGateway>, name: string) =>
  gateway.calls.filter((call) => call.name === name).map((call) => call.input)

describe('what is not allowed is not offered', () => {
  test('an administrator acts on users only, and gives nobody a role', async () => {
    const user = renderConsole(gatewayOf(administrator), '/users')
    await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
    await screen.findByRole('menuitem', { name: 'Change balance' })
    expect(screen.queryByRole('menuitem', { name: 'Make administrator' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'More actions for ada' })).toBeNull()
    expect(screen.queryByLabelText('User owner is on')).toBeNull()
    expect(screen.queryByRole('button', { name: 'owner' })).toBeNull()
  })

  test('the owner can give and take roles, but neither disable nor delete itself', async () => {
    const user = renderConsole(gatewayOf(owner), '/users')
    await user.click(await screen.findByRole('button', { name: 'More actions for ada' }))
    await screen.findByRole('menuitem', { name: 'Remove administrator role' })
    await user.keyboard('{Escape}')
    expect(screen.queryByLabelText('User owner is on')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'More actions for owner' }))
    await screen.findByRole('menuitem', { name: 'Edit' })
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  })

  test('an owner whom an earlier first run named goes by the user name alone', async () => {
    const named = { ...owner, display_name: 'Root User' }
    const gateway = gatewayOf(owner, { 'user.search': () => list([named]) })
    renderConsole(gateway, '/users')
    await screen.findByRole('button', { name: 'More actions for owner' })
    expect(screen.queryByText('Root User')).toBeNull()
  })

  test('a display name that is the user name stands there once', async () => {
    const named = { ...record, display_name: 'bob' }
    renderConsole(gatewayOf(owner, { 'user.search': () => list([named]) }), '/users')
    await screen.findByRole('button', { name: 'More actions for bob' })
    expect(screen.getAllByText('bob')).toHaveLength(1)
  })

  test('the page is in no list of who is no administrator', async () => {
    renderConsole(gatewayOf(record), '/redeem')
    await screen.findByRole('link', { name: 'Redeem' })
    expect(screen.queryByRole('link', { name: 'Users' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull()
  })
})

test('calls without any price are not shown as $0', async () => {
  renderConsole(gatewayOf(owner), '/users')
  const row = (await screen.findByText('bob')).closest('tr') as HTMLElement
  expect(within(row).getByText('unpriced')).toBeTruthy()
  expect(row.textContent).not.toContain('$0')
})

test('a promotion is asked for by name, and a refusal stays readable', async () => {
  const gateway = gatewayOf(owner, {
    'user.manage': () => refuse('Only the owner may do this.', undefined, 403),
  })
  const user = renderConsole(gateway, '/users')
  await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Make administrator' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/^Make bob \(#3\) an administrator\?/)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Make administrator' }))
  expect(await within(dialog).findByText('Only the owner may do this.')).toBeTruthy()
  expect(inputs(gateway, 'user.manage')).toEqual([{ id: 3, action: 'promote' }])
  // Nothing of the user's is at stake that could be kept.
  expect(within(dialog).queryByRole('button', { name: 'Keep it' })).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a balance is changed in units, and the outcome is shown before', async () => {
  const gateway = gatewayOf(owner, { 'user.manage': () => record })
  const user = renderConsole(gateway, '/users')
  await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change balance' }))
  const dialog = await screen.findByRole('dialog', { name: 'Balance of bob' })
  await user.click(within(dialog).getByLabelText('Subtract'))
  await user.type(within(dialog).getByLabelText('Amount in US dollars'), '0.5')
  expect(within(dialog).getByText('From $2.00 to $1.50.')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Change balance' }))
  await waitFor(() =>
    expect(inputs(gateway, 'user.manage')).toEqual([
      { id: 3, action: 'add_quota', mode: 'subtract', value: 250_000 },
    ]),
  )
})

test('a balance is set to nothing by a 0 alone, not by an empty field', async () => {
  const gateway = gatewayOf(owner, { 'user.manage': () => record })
  const user = renderConsole(gateway, '/users')
  await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change balance' }))
  const dialog = await screen.findByRole('dialog', { name: 'Balance of bob' })
  await user.click(within(dialog).getByLabelText('Set'))
  const change = within(dialog).getByRole('button', { name: 'Change balance' })
  expect(change).toHaveProperty('disabled', true)
  await user.type(within(dialog).getByLabelText('Amount in US dollars'), '0')
  await user.click(change)
  await waitFor(() =>
    expect(inputs(gateway, 'user.manage')).toEqual([
      { id: 3, action: 'add_quota', mode: 'override', value: 0 },
    ]),
  )
})

test('a balance to which nothing is added is not sent: the gateway would refuse it', async () => {
  const user = renderConsole(gatewayOf(owner, {}), '/users')
  await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change balance' }))
  const dialog = await screen.findByRole('dialog', { name: 'Balance of bob' })
  const amount = within(dialog).getByLabelText('Amount in US dollars')
  const change = within(dialog).getByRole('button', { name: 'Change balance' })
  await user.type(amount, '0')
  expect(change).toHaveProperty('disabled', true)
  expect(within(dialog).getByText('Now $2.00.')).toBeTruthy()
  await user.type(amount, '.5')
  expect(change).toHaveProperty('disabled', false)
})

test('an edit sends only what was changed: what was spent meanwhile is not undone', async () => {
  const gateway = gatewayOf(owner, { 'user.update': () => undefined })
  const user = renderConsole(gateway, '/users?open=3')
  const drawer = await screen.findByRole('dialog')
  await user.type(await within(drawer).findByLabelText('Note'), 'from the workshop')
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(inputs(gateway, 'user.update')).toEqual([{ id: 3, remark: 'from the workshop' }]),
  )
})

test('an emptied balance is left as it is, not set to nothing', async () => {
  const gateway = gatewayOf(owner, { 'user.update': () => undefined })
  const user = renderConsole(gateway, '/users?open=3')
  const drawer = await screen.findByRole('dialog')
  await user.clear(await within(drawer).findByLabelText('Balance'))
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(inputs(gateway, 'user.update')).toEqual([{ id: 3 }]))
})

test.each([
  { quota: 1_000_000, now: 'Now $2.00.', outcome: 'From $2.00 to $0.00.' },
  { quota: -500_000, now: 'Now −$1.00.', outcome: 'From −$1.00 to −$1.00.' },
])('taking away more than $quota units ends where the gateway ends', async (given) => {
  const poor = { ...record, quota: given.quota }
  const gateway = gatewayOf(owner, { 'user.search': () => list([poor]) })
  const user = renderConsole(gateway, '/users')
  await user.click(await screen.findByRole('button', { name: 'More actions for bob' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change balance' }))
  const dialog = await screen.findByRole('dialog', { name: 'Balance of bob' })
  await user.click(within(dialog).getByLabelText('Subtract'))
  expect(within(dialog).getByRole('status').textContent).toBe(given.now)
  await user.type(within(dialog).getByLabelText('Amount in US dollars'), '9')
  expect(within(dialog).getByRole('status').textContent).toBe(given.outcome)
})

test('a taken name is said at its field and stays there', async () => {
  const gateway = gatewayOf(owner, {
    'user.create': () => refuse('The name "bob" is taken.', 'username', 409),
  })
  const user = renderConsole(gateway, '/users?new=1')
  const drawer = await screen.findByRole('dialog')
  await user.type(await within(drawer).findByLabelText('User name'), 'bob')
  await user.type(within(drawer).getByLabelText('Password'), 'correct horse')
  await user.click(within(drawer).getByRole('button', { name: 'Create user' }))
  expect(await within(drawer).findByText('The name "bob" is taken.')).toBeTruthy()
  expect(within(drawer).getByLabelText('User name')).toHaveProperty('value', 'bob')
  expect(inputs(gateway, 'user.create')).toEqual([
    {
      username: 'bob',
      display_name: '',
      password: 'correct horse',
      role: 1,
      group: 'default',
      remark: '',
    },
  ])
})
