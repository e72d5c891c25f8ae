import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const alone = [
  'Overview',
  'Playground',
  'Calls',
  'Channels',
  'Routes',
  'Connect',
  'Usage',
  'Redeem',
]
const forOthers = ['Users', 'Codes', 'Payments', 'Groups']
const address = 'http://127.0.0.1:4747'

async function sidebar(): Promise<(string | null)[]> {
  const navigation = await screen.findByRole('navigation', { name: 'Main navigation' })
  return within(navigation)
    .getAllByRole('link')
    .map((link) => link.textContent)
}

/** One that is shared as its option says, or as its users do. */
function gatewayWith(users: number, open = 'false') {
  let isSelfUse = true
  return createFakeGateway({
    'user.self': () => ({ id: 1, username: 'owner', role: 100, quota: 100_000_000 }),
    'server.get': () => ({ url: address, started_at: 1, shared: !isSelfUse || users > 1 }),
    'user.list': () => ({ page: 1, page_size: 1, total: users, items: [] }),
    'option.list': () => [{ key: 'RegisterEnabled', value: open, default: 'false' }],
    'option.update': ({ key, value }: { key: string; value: unknown }) => {
      if (key === 'SelfUseModeEnabled') isSelfUse = value === true
    },
  })
}

test('one developer sees neither users nor codes, payments and groups, until the gateway is shared', async () => {
  const user = renderConsole(gatewayWith(1), '/settings')
  const share = await screen.findByRole('button', { name: 'Share this gateway…' })
  expect(await sidebar()).toEqual([...alone, 'Settings'])
  await user.click(share)
  const dialog = await screen.findByRole('dialog', { name: 'Share this gateway' })
  expect(dialog.textContent).toContain('Users, Codes, Payments and Groups appear')
  expect(dialog.textContent).toContain('Yours, $200.00 now, is charged')
  expect(dialog.textContent).toContain(`The address stays ${address}`)
  await user.click(within(dialog).getByRole('button', { name: 'Share' }))
  await waitFor(async () => expect(await sidebar()).toEqual([...alone, ...forOthers, 'Settings']))
})

test('sharing ends when nobody but the owner is left, and closes the registration', async () => {
  const gateway = gatewayWith(1, 'true')
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Share this gateway…' }))
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  const stop = await screen.findByRole('button', { name: 'Stop sharing' })
  await waitFor(() => expect(stop).toHaveProperty('disabled', false))
  await user.click(stop)
  await screen.findByRole('button', { name: 'Share this gateway…' })
  expect(await sidebar()).toEqual([...alone, 'Settings'])
  const changes = gateway.calls.filter(({ name }) => name === 'option.update')
  expect(changes.map(({ input }) => input)).toEqual([
    { key: 'SelfUseModeEnabled', value: false },
    { key: 'RegisterEnabled', value: false },
    { key: 'SelfUseModeEnabled', value: true },
  ])
})

test('with other users the gateway is shared, and sharing can’t be stopped', async () => {
  renderConsole(gatewayWith(3), '/settings')
  const stop = await screen.findByRole('button', { name: 'Stop sharing' })
  await screen.findByText(/2 other users have accounts/)
  expect(stop).toHaveProperty('disabled', true)
  expect(await sidebar()).toEqual([...alone, ...forOthers, 'Settings'])
})

test.each([
  ['/prices?open=gpt-5', '/usage/prices?open=gpt-5'],
  ['/settings/groups', '/groups'],
  ['/tokens?new=1', '/connect/tokens?new=1'],
])('the old path %s leads to %s', async (before, after) => {
  renderConsole(createFakeGateway(), before)
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe(`/console${after}`),
  )
})

test('Redeem stays for one developer, and says what a balance is for', async () => {
  const gateway = createFakeGateway({
    'status.get': () => ({ self_use_mode_enabled: true, top_up_link: 'https://example.com/buy' }),
  })
  renderConsole(gateway, '/redeem')
  expect(await screen.findByText(/^Your balance isn’t enforced/)).toBeTruthy()
  expect(screen.getByLabelText('Code')).toBeTruthy()
  expect(screen.queryByText('Buy balance')).toBeNull()
})

test('the API reference is a link in the settings, and pages inside others are found by the search', async () => {
  const user = renderConsole(createFakeGateway(), '/settings')
  expect(await screen.findByRole('link', { name: 'Open the API reference' })).toBeTruthy()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'prices{Enter}')
  expect(window.location.pathname).toBe('/console/usage/prices')
})
