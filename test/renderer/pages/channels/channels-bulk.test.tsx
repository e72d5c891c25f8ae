import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createFakeGateway, type FakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { channelRecord, pageOf } from './channel-records.ts'

const names = ['One', 'Two', 'Three', 'Four']
const channels = names.map((name, index) => channelRecord({ id: index + 1, name }))

const inputsOf = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map(({ input }) => input)

const lastInput = (gateway: FakeGateway, name: string) => inputsOf(gateway, name).at(-1)

test('Shift takes all rows between two clicks, and only these are switched off', async () => {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.batch-status': () => 3,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select Three' }))
  await user.keyboard('{/Shift}')
  const bar = await screen.findByRole('region', { name: 'Bulk actions' })
  expect(within(bar).getByText('3 selected')).toBeTruthy()
  await user.click(within(bar).getByRole('button', { name: 'Disable' }))
  await waitFor(() =>
    expect(inputsOf(gateway, 'channel.batch-status')).toEqual([{ ids: [1, 2, 3], status: 2 }]),
  )
})

test('deleting several names their number, and what was refused stays selected', async () => {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.batch-delete': () => refuse('The state file cannot be written.', undefined, 507),
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Two' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/Delete the 3 selected channels\?/)).toBeTruthy()
  expect(inputsOf(gateway, 'channel.batch-delete')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Delete 3 channels' }))
  expect(await screen.findByText('The state file cannot be written.')).toBeTruthy()
  expect(lastInput(gateway, 'channel.batch-delete')).toEqual({ ids: [1, 3, 4] })
  expect(screen.getByText('3 selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Keep it' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/Delete the 3 selected channels\?/)).toBeTruthy()
  expect(screen.queryByText('The state file cannot be written.')).toBeNull()
})

test('what a filter hides is not selected any more', async () => {
  const gateway = createFakeGateway({
    'channel.search': ({ keyword }: { keyword?: string }) =>
      pageOf(
        channels.filter(({ name }) => name.includes(keyword ?? '')),
        keyword ? 1 : 12,
      ),
    'channel.batch-status': () => 1,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.type(screen.getByLabelText('Search channels'), 'Two')
  await screen.findByText('1 selected')
  await user.click(screen.getByRole('button', { name: 'Enable' }))
  await waitFor(() =>
    expect(lastInput(gateway, 'channel.batch-status')).toEqual({ ids: [2], status: 1 }),
  )
})

test('an emptied tag field takes the tags away instead of setting an empty one', async () => {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.batch-tag': () => 1,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select Four' }))
  await user.click(screen.getByRole('button', { name: 'Set tag' }))
  const dialog = await screen.findByRole('dialog', { name: 'Tag of 1 channel' })
  await user.click(within(dialog).getByRole('button', { name: 'Remove tag' }))
  await waitFor(() =>
    expect(lastInput(gateway, 'channel.batch-tag')).toEqual({ ids: [4], tag: null }),
  )
})

test('several are tested one after the other, each with its own outcome', async () => {
  const open: (() => void)[] = []
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.test': ({ id }: { id: number }) =>
      new Promise((resolve, reject) => {
        open.push(() => {
          if (id === 2) resolve(undefined)
          try {
            refuse('Quota exceeded at the vendor.', undefined, 502)
          } catch (error) {
            reject(error)
          }
        })
      }),
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Two' }))
  const bar = screen.getByRole('region', { name: 'Bulk actions' })
  await user.click(within(bar).getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('Waiting for earlier tests…')).toBeTruthy()
  expect(inputsOf(gateway, 'channel.test')).toEqual([{ id: 1 }])
  open[0]?.()
  expect(await screen.findByText('Quota exceeded at the vendor.')).toBeTruthy()
  await waitFor(() => expect(open).toHaveLength(2))
  open[1]?.()
  expect(await screen.findByText(/^Answered in/)).toBeTruthy()
})

test('the reason of a channel that the gateway switched off stands in its row', async () => {
  const reason = 'status 401: Incorrect API key provided'
  const channel = channelRecord({
    id: 9,
    name: 'Broken',
    status: 3,
    other_info: JSON.stringify({ status_reason: reason, status_time: 1_700_000_000 }),
  })
  renderConsole(createFakeGateway({ 'channel.search': () => pageOf([channel]) }), '/channels')
  expect(await screen.findByText('auto-disabled')).toBeTruthy()
  expect(screen.getByText(new RegExp(reason))).toBeTruthy()
})

test('an unknown balance is a dash, a balance of nothing is $0.00', async () => {
  const gateway = createFakeGateway({
    'channel.search': () =>
      pageOf([
        channelRecord({ id: 1, name: 'Unknown' }),
        channelRecord({ id: 2, name: 'Empty', balance_updated_time: 1_700_000_000 }),
      ]),
  })
  renderConsole(gateway, '/channels')
  const unknown = (await screen.findByRole('button', { name: 'Unknown' })).closest('tr')
  const empty = screen.getByRole('button', { name: 'Empty' }).closest('tr')
  expect(unknown?.textContent).not.toContain('$')
  expect(empty?.textContent).toContain('$0.00')
})

test('deleting the disabled ones asks with their number first', async () => {
  const gateway = createFakeGateway({
    'channel.search': ({ status }: { status?: string }) =>
      status === 'disabled' ? { ...pageOf([]), total: 7 } : pageOf(channels, 12),
    'channel.delete-disabled': () => 7,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('button', { name: 'All channels' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete disabled channels' }))
  expect(await screen.findByText(/Delete 7 disabled or auto-disabled channels/)).toBeTruthy()
  expect(inputsOf(gateway, 'channel.delete-disabled')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Delete disabled channels' }))
  await waitFor(() => expect(inputsOf(gateway, 'channel.delete-disabled')).toEqual([{}]))
})

test('a few channels have neither filters nor checkboxes; ten have both', async () => {
  const few = createFakeGateway({ 'channel.search': () => pageOf(channels) })
  renderConsole(few, '/channels')
  await screen.findByText('One')
  expect(screen.queryByLabelText('Search channels')).toBeNull()
  expect(screen.queryByText('By tag')).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  few.answer('channel.search', () => pageOf(channels, 10))
  few.push('server')
  expect(await screen.findByLabelText('Search channels')).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: 'Select One' })).toBeTruthy()
  // A filter that leaves a few doesn't take itself away.
  few.answer('channel.search', () => pageOf(channels.slice(0, 1)))
  few.push('server')
  await waitFor(() => expect(screen.queryByText('Two')).toBeNull())
  expect(screen.getByLabelText('Search channels')).toBeTruthy()
})

test('leaving the page cancels the test under way, and begins none of those that wait', async () => {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.test': () => new Promise(() => {}),
  })
  const call = vi.spyOn(gateway, 'call')
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Two' }))
  const bar = screen.getByRole('region', { name: 'Bulk actions' })
  await user.click(within(bar).getByRole('button', { name: 'Test' }))
  await screen.findByText('Waiting for earlier tests…')
  const [, , signal] = call.mock.calls.find(([name]) => name === 'channel.test') ?? []
  expect(signal?.aborted).toBe(false)
  await user.click(screen.getByRole('link', { name: 'Routes' }))
  await waitFor(() => expect(signal?.aborted).toBe(true))
  expect(inputsOf(gateway, 'channel.test')).toEqual([{ id: 1 }])
})
