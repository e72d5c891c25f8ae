import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, shared } from '../fake-client.ts'
import { channelRecord } from '../pages/channels/channel-records.ts'
import { renderConsole } from '../render-console.tsx'

type Input = Record<string, unknown>

const page = (items: object[], total = items.length) => ({ page: 1, page_size: 50, total, items })

function gatewayOf(total: number): FakeGateway {
  const prices = ['alpha', 'beta'].map((model) => ({
    ...{ model, source: 'built-in', served: true, tiers: {} },
  }))
  return createFakeGateway({
    ...shared,
    'user.self': () => ({ id: 1, username: 'owner', role: 100, has_password: true, setting: '{}' }),
    'channel.search': () => ({ ...page([], total), type_counts: {} }),
    'user.search': () => page([], total),
    'redemption.search': () => page([], total),
    'audit.list': () => page([], total),
    'topup.list': () => page([], total),
    'topup.info': () => ({}),
    'token.list': () => page([], total),
    'price.list': () => ({ items: prices }),
  })
}

const lastInput = (gateway: FakeGateway, operation: string) =>
  gateway.calls
    .filter(({ name, input }) => {
      const size = (input as Input).page_size
      return name === operation && size !== 1 && size !== 100
    })
    .at(-1)?.input as Input | undefined

const lists = [
  ['/channels', 'Search channels', 'channel.search', 'keyword'],
  ['/users', 'Name, e-mail or ID', 'user.search', 'keyword'],
  ['/codes', 'Label or ID', 'redemption.search', 'keyword'],
  ['/settings/security', 'Search the audit log', 'audit.list', 'text'],
  ['/payments', 'Order number', 'topup.list', 'keyword'],
  ['/connect/tokens', 'Search tokens', 'token.list', 'keyword'],
] as const

describe.each(lists)('the list at %s', (path, label, operation, field) => {
  test('keeps its filter in the URL, from the first page on, also on reload', async () => {
    const gateway = gatewayOf(30)
    const user = renderConsole(gateway, `${path}?page=2`)
    await user.type(await screen.findByRole('textbox', { name: label }), 'ab')
    await waitFor(() => expect(window.location.search).toBe('?q=ab'))
    await waitFor(() => expect(lastInput(gateway, operation)?.[field]).toBe('ab'))
    cleanup()
    const again = gatewayOf(2)
    renderConsole(again, `${path}?q=ab`)
    expect(await screen.findByRole('textbox', { name: label })).toHaveProperty('value', 'ab')
    expect(lastInput(again, operation)?.[field]).toBe('ab')
  })

  test('has its filter only from ten rows on', async () => {
    const gateway = gatewayOf(9)
    renderConsole(gateway, path)
    await waitFor(() => expect(lastInput(gateway, operation)).toBeTruthy())
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByRole('textbox', { name: label })).toBeNull()
    for (const name of ['Export', 'Delete invalid codes'])
      expect(screen.queryByRole('button', { name: new RegExp(`^${name}`) })).toBeNull()
  })
})

test('the open record goes with the filters, and closing it leaves them', async () => {
  const channel = channelRecord({ id: 7, name: 'Work' })
  const gateway = gatewayOf(30)
  gateway.answer('channel.search', () => ({ ...page([channel], 30), type_counts: {} }) as never)
  gateway.answer('channel.get', () => channel as never)
  const user = renderConsole(gateway, '/channels?q=wor&status=enabled&sort=name')
  await user.click(await screen.findByRole('button', { name: 'Work' }))
  await waitFor(() => expect(window.location.search).toBe('?q=wor&status=enabled&sort=name&open=7'))
  await user.click(await screen.findByRole('button', { name: 'Close' }))
  await waitFor(() => expect(window.location.search).toBe('?q=wor&status=enabled&sort=name'))
  expect(lastInput(gateway, 'channel.search')).toMatchObject({
    ...{ keyword: 'wor', status: 'enabled', sort_by: 'name', sort_order: 'asc' },
  })
})

test('“Clear filters” clears the field too, and had its place before', async () => {
  const user = renderConsole(gatewayOf(30), '/channels')
  const field = await screen.findByLabelText('Search channels')
  const clear = screen.getByText('Clear filters').closest('button') as HTMLElement
  expect(clear.style.visibility).toBe('hidden')
  await user.type(field, 'ab')
  await waitFor(() => expect(clear.style.visibility).toBe(''))
  await user.click(clear)
  expect(field).toHaveProperty('value', '')
  expect(window.location.search).toBe('')
})

test('the prices keep search and choice in the URL', async () => {
  const user = renderConsole(gatewayOf(0), '/usage/prices?show=all')
  await user.type(await screen.findByLabelText('Model or vendor'), 'alp')
  await waitFor(() => expect(window.location.search).toBe('?show=all&q=alp'))
  expect(screen.getByRole('radio', { name: 'All' })).toHaveProperty('checked', true)
})
