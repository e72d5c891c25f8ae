import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

test('a new access token isn’t lost by leaving the page unasked', async () => {
  const gateway = createFakeGateway({ 'user.access-token': () => 'access-123' })
  const user = renderConsole(gateway, '/settings/security')
  await user.click(await screen.findByRole('button', { name: 'New access token' }))
  await screen.findByText('access-123')
  await user.click(screen.getByRole('link', { name: 'Calls' }))
  await screen.findByText(/The access token isn’t shown again/)
  await user.click(screen.getByRole('button', { name: 'Stay' }))
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await user.click(screen.getByRole('link', { name: 'Calls' }))
  await waitFor(() => expect(screen.queryByText('access-123')).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
})
