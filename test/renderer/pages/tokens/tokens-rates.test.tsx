import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { tokenRecord } from './token-records.ts'

const gatewayOf = (fields: object = {}) => {
  const record = tokenRecord({ requests_per_minute: 60, ...fields })
  return createFakeGateway({
    'token.list': () => ({ page: 1, page_size: 50, total: 1, items: [record] }),
    'token.get': () => record,
    'token.update': () => tokenRecord(),
  })
}

test('limits are in the row where they are set, and only there', async () => {
  renderConsole(gatewayOf({ tokens_per_minute: 250_000 }), '/connect/tokens')
  const row = (await screen.findByText('laptop')).closest('tr') as HTMLElement
  expect(within(row).getByText('60 requests/min')).toBeTruthy()
  expect(within(row).getByText('250,000 tokens/min')).toBeTruthy()
})

test('an emptied field takes its limit away; a filled one sets it', async () => {
  const gateway = gatewayOf()
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  const requests = await screen.findByLabelText('Requests per minute')
  expect(requests).toHaveProperty('value', '60')
  await user.clear(requests)
  await user.type(screen.getByLabelText('Tokens per minute'), '90000')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const sent = () => gateway.calls.find(({ name }) => name === 'token.update')?.input
  await waitFor(() =>
    expect(sent()).toEqual({ id: 3, requests_per_minute: null, tokens_per_minute: 90_000 }),
  )
})

test('a refusal stands at its field', async () => {
  const gateway = gatewayOf()
  gateway.answer('token.update', () => refuse('must be at least 1', 'tokens_per_minute'))
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  const field = await screen.findByLabelText('Tokens per minute')
  await user.type(field, '7')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('must be at least 1')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
})
