import { screen } from '@testing-library/react'
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
  })
  const user = renderConsole(gateway, '/groups')
  await user.click(await screen.findByRole('button', { name: 'Remove group night' }))
  expect(screen.queryByRole('button', { name: 'Remove group default' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save groups' }))
  await screen.findByText('Saved.')
  const updates = gateway.calls.filter(({ name }) => name === 'option.update')
  expect(updates.map(({ input }) => input)).toEqual([
    { key: 'GroupRatio', value: '{"default":1}' },
    { key: 'UserUsableGroups', value: '{"default":"usual"}' },
  ])
})
