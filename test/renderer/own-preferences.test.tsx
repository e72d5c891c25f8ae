// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse } from './fake-client.ts'
import { renderConsole } from './render-console.tsx'

const self = {
  id: 3,
  username: 'bob',
  role: 1,
  has_password: true,
  quota: 600_000,
  quota_warning: true,
  setting: '{"notify_type":"webhook","quota_warning_threshold":1000000}',
}
const gatewayOf = (fields: object, answers: Parameters<typeof createFakeGateway>[0] = {}) =>
  createFakeGateway({ 'user.self': () => ({ ...self, ...fields }), ...answers })

test('a balance below one’s own mark is said on the first page', async () => {
  renderConsole(gatewayOf({}))
  expect(await screen.findByText('Only $1.20 left')).toBeTruthy()
})

test('with nothing left it says so', async () => {
  const gateway = gatewayOf({ quota: -5 })
  renderConsole(gateway)
  expect(await screen.findByText('Nothing is left')).toBeTruthy()
})

test('who has enough left is not warned', async () => {
  renderConsole(gatewayOf({ quota_warning: false }))
  await screen.findByText('Last calls')
  expect(screen.queryByText(/^Only .* left$/)).toBeNull()
})

test('the mark is kept in units, and how notices would be sent stays as it was', async () => {
  const gateway = gatewayOf({}, { 'user.setting': () => undefined })
  const user = renderConsole(gateway, '/settings')
  const mark = await screen.findByLabelText('Tell me below')
  expect(mark).toHaveProperty('value', '$2')
  await user.clear(mark)
  await user.type(mark, '5')
  await user.click(screen.getByLabelText(/^Use models without a price/))
  await user.click(screen.getByRole('button', { name: 'Save preferences' }))
  expect(await screen.findByText('Saved.')).toBeTruthy()
  const input = gateway.calls.find(({ name }) => name === 'user.setting')?.input
  expect(input).toEqual({
    notify_type: 'webhook',
    quota_warning_threshold: 2_500_000,
    accept_unset_model_ratio_model: true,
    record_ip_log: false,
  })
})

test('a refusal stands at its field', async () => {
  const gateway = gatewayOf(
    { setting: '' },
    { 'user.setting': () => refuse('must be more than 0', 'quota_warning_threshold') },
  )
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Save preferences' }))
  expect(await screen.findByText('must be more than 0')).toBeTruthy()
  expect(screen.getByLabelText('Tell me below').getAttribute('aria-invalid')).toBe('true')
})
