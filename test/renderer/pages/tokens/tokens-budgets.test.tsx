import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, refuse, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { tokenRecord } from './token-records.ts'

const list = (items: unknown[]) => ({ page: 1, page_size: 50, total: items.length, items })

const lastInput = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).at(-1)?.input

async function saveNew(user: ReturnType<typeof renderConsole>) {
  const drawer = screen.getByRole('dialog')
  await user.click(within(drawer).getByRole('button', { name: 'Create token' }))
}

test('budgets are sent in units, an empty one as none', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'token.create': () => tokenRecord({ id: 1, name: 'ci' }),
  })
  const user = renderConsole(gateway, '/connect/tokens?new=1')
  await user.type(await screen.findByLabelText('Name'), 'ci')
  await user.type(screen.getByLabelText('Per day'), '2.5')
  const warning = await screen.findByLabelText('Warn at')
  await user.clear(warning)
  await user.type(warning, '50')
  await saveNew(user)
  await waitFor(() =>
    expect(lastInput(gateway, 'token.create')).toMatchObject({
      day_budget: 1_250_000,
      month_budget: null,
      budget_warning: 50,
    }),
  )
})

test('a stored budget that is emptied is taken away, not kept', async () => {
  const stored = tokenRecord({ id: 3, name: 'ci', month_budget: 5_000_000 })
  const gateway = createFakeGateway({
    ...shared,
    'token.list': () => list([stored]),
    'token.get': () => stored,
    'token.update': () => stored,
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  const month = await screen.findByLabelText('Per month')
  expect(month).toHaveProperty('value', '$10')
  await user.clear(month)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastInput(gateway, 'token.update')).toMatchObject({ id: 3, month_budget: null }),
  )
})

test('a budget that is nearly or wholly used stands out in the row, with the amounts', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'token.list': () =>
      list([
        tokenRecord({
          id: 1,
          name: 'near',
          day_budget: 500_000,
          day_used: 450_000,
          budget_state: 'warning',
        }),
        tokenRecord({
          id: 2,
          name: 'over',
          month_budget: 500_000,
          month_used: 600_000,
          budget_state: 'exhausted',
        }),
      ]),
  })
  renderConsole(gateway, '/connect/tokens')
  expect(await screen.findByText('budget nearly used')).toBeTruthy()
  expect(screen.getByText('budget used up')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'today: $0.90 / $1.00' })).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'month: $1.20 / $1.00' })).toBeTruthy()
})

test('going on to the next group is offered for “auto” alone, and not sent for another', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self-groups': () => ({
      auto: { ratio: 'auto', desc: 'Tries several' },
      vip: { ratio: 0.5, desc: 'vip' },
    }),
    'token.create': () => tokenRecord({ id: 1, name: 'ci' }),
  })
  const user = renderConsole(gateway, '/connect/tokens?new=1')
  await user.type(await screen.findByLabelText('Name'), 'ci')
  await user.click(screen.getByLabelText('Group', { selector: 'input' }))
  await user.click(await screen.findByText('auto: Tries several'))
  await user.click(await screen.findByLabelText(/^Failover across groups/))
  await user.click(screen.getByLabelText('Group', { selector: 'input' }))
  await user.click(await screen.findByText('vip (price × 0.5)'))
  expect(screen.queryByLabelText(/^Failover across groups/)).toBeNull()
  await saveNew(user)
  await waitFor(() =>
    expect(lastInput(gateway, 'token.create')).toMatchObject({
      group: 'vip',
      cross_group_retry: false,
    }),
  )
})

test('several tokens are deleted after their number was named; a refusal is readable', async () => {
  let isRefused = true
  const gateway = createFakeGateway({
    ...shared,
    'token.list': () => ({
      ...list([1, 2, 3].map((id) => tokenRecord({ id, name: `tool ${id}` }))),
      total: 12,
    }),
    'token.batch-delete': () => (isRefused ? refuse('Not now.', undefined, 507) : 2),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('checkbox', { name: 'Select tool 1' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select tool 3' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/Delete the 2 selected tokens\?/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete 2 tokens' }))
  expect(await screen.findByText('Not now.')).toBeTruthy()
  isRefused = false
  await user.click(screen.getByRole('button', { name: 'Delete 2 tokens' }))
  await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull())
  expect(lastInput(gateway, 'token.batch-delete')).toEqual({ ids: [1, 3] })
})
