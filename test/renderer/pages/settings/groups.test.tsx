import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

test('a group is removed by its button, and the default one, which every user needs, has none', async () => {
  const stored = {
    GroupRatio: '{"default":1,"night":0.5}',
    UserUsableGroups: '{"default":"usual","night":"cheap"}',
  }
  const gateway = createFakeGateway({
    ...shared,
    'option.list': () =>
      Object.entries(stored).map(([key, value]) => ({ key, value, default: '' })),
    'option.update': () => undefined,
    'user.search': () => ({ page: 1, page_size: 1, total: 2, items: [] }),
  })
  const user = renderConsole(gateway, '/groups')
  await user.click(await screen.findByRole('button', { name: 'Remove group night' }))
  expect(screen.queryByRole('button', { name: 'Remove group default' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save groups' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove night?' }))
  await dialog.findByText(/^2 users stay in it, with factor 1/)
  expect(gateway.calls.filter(({ name }) => name === 'option.update')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Save groups' }))
  await screen.findByText('Saved.')
  const updates = gateway.calls.filter(({ name }) => name === 'option.update')
  expect(updates.map(({ input }) => input)).toEqual([
    { key: 'GroupRatio', value: '{"default":1}' },
    { key: 'UserUsableGroups', value: '{"default":"usual"}' },
  ])
})

test('a group without a name is not said to be saved, and is asked for before the page is left', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'option.list': () => [{ key: 'GroupRatio', value: '{"default":1}', default: '' }],
  })
  const user = renderConsole(gateway, '/groups')
  await user.click(await screen.findByRole('button', { name: 'Add group' }))
  await user.click(screen.getByRole('button', { name: 'Save groups' }))
  await screen.findByText('A group has no name. Name it or remove it.')
  expect(screen.queryByText('Saved.')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
})

test('to an administrator the page says whose it is, instead of leading elsewhere', async () => {
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => ({ id: 2, username: 'ada', role: 10 }),
  })
  renderConsole(gateway, '/groups')
  await screen.findByText('Only the owner of this gateway can use this page.')
  expect(gateway.calls.filter(({ name }) => name === 'option.list')).toEqual([])
})
