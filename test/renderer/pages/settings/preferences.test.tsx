import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DOLLARS_PER_RATIO, UNSET_RATIO } from '../../../../main/relay/pricing/model-price.ts'
import { createFakeGateway, refuse, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const self = {
  id: 3,
  username: 'bob',
  role: 1,
  has_password: true,
  quota: 600_000,
  quota_warning: true,
  setting:
    '{"notify_type":"webhook","quota_warning_threshold":1000000,"webhook_url":"https://ada.example/hook"}',
}
const gatewayOf = (fields: object, answers: Parameters<typeof createFakeGateway>[0] = {}) =>
  createFakeGateway({
    ...shared,
    'user.self': () => ({ ...self, ...fields }),
    ...answers,
  })

test('a balance below one’s own mark is said on the first page', async () => {
  renderConsole(gatewayOf({}))
  expect(await screen.findByText('Only $1.20 left')).toBeTruthy()
})

test('with nothing left it says so', async () => {
  const gateway = gatewayOf({ quota: -5 })
  renderConsole(gateway)
  expect(await screen.findByText('Balance used up')).toBeTruthy()
})

test('who has enough left is not warned', async () => {
  renderConsole(gatewayOf({ quota_warning: false }))
  await screen.findByText('No calls yet')
  expect(screen.queryByText(/^Only .* left$/)).toBeNull()
})

test('the mark is kept in units, and how notices would be sent stays as it was', async () => {
  const gateway = gatewayOf({}, { 'user.setting': () => undefined })
  const user = renderConsole(gateway, '/settings')
  const mark = await screen.findByLabelText('Warn when balance is below')
  expect(mark).toHaveProperty('value', '$2')
  expect(
    screen.getByText(`At $${UNSET_RATIO * DOLLARS_PER_RATIO} per million tokens`, { exact: false }),
  )
  await user.clear(mark)
  await user.type(mark, '5')
  await user.click(screen.getByLabelText(/^Use unpriced models/))
  await user.click(screen.getByRole('button', { name: 'Save preferences' }))
  expect(await screen.findByText('Saved.')).toBeTruthy()
  const input = gateway.calls.find(({ name }) => name === 'user.setting')?.input
  expect(input).toEqual({
    notify_type: 'webhook',
    quota_warning_threshold: 2_500_000,
    webhook_url: 'https://ada.example/hook',
    accept_unset_model_ratio_model: true,
    record_ip_log: false,
  })
})

test('an empty mark is the gateway’s default, also where it isn’t shown', async () => {
  const gateway = gatewayOf({ setting: '' }, { 'user.setting': () => undefined })
  gateway.answer('server.get', () => ({ url: 'http://127.0.0.1:4747', started_at: 1 }))
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Save preferences' }))
  expect(await screen.findByText('Saved.')).toBeTruthy()
  expect(screen.queryByLabelText('Warn when balance is below')).toBeNull()
  const input = gateway.calls.find(({ name }) => name === 'user.setting')?.input
  expect(input).toMatchObject({ notify_type: 'email', quota_warning_threshold: null })
})

test('a refusal stands at its field', async () => {
  const gateway = gatewayOf(
    { setting: '' },
    { 'user.setting': () => refuse('must be more than 0', 'quota_warning_threshold') },
  )
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Save preferences' }))
  expect(await screen.findByText('must be more than 0')).toBeTruthy()
  expect(screen.getByLabelText('Warn when balance is below').getAttribute('aria-invalid')).toBe(
    'true',
  )
})

test('a secret is sent once and then gone from the page; a test comes after saving', async () => {
  const gateway = gatewayOf(
    {},
    {
      'user.setting': () => undefined,
      'user.test-notice': () => ({ sent_to: 'gotify.example', milliseconds: 85 }),
    },
  )
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('combobox', { name: 'Send notifications' }))
  await user.click(await screen.findByRole('option', { name: 'To Gotify' }))
  await user.type(screen.getByLabelText('URL'), 'https://gotify.example')
  const token = screen.getByLabelText('App token')
  await user.type(token, 'secret-of-the-app')
  const test = () => screen.getByRole('button', { name: 'Send test notification' })
  expect(test()).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Save preferences' }))
  await screen.findByText('Saved.')
  expect(token).toHaveProperty('value', '')
  expect(gateway.calls.find(({ name }) => name === 'user.setting')?.input).toMatchObject({
    notify_type: 'gotify',
    gotify_url: 'https://gotify.example',
    gotify_token: 'secret-of-the-app',
  })
  await user.click(test())
  expect(await screen.findByText('gotify.example accepted it after 85 ms.')).toBeTruthy()
})

test('a receiver that does not take it is told in its own words', async () => {
  const refused = () => refuse('The notice was not delivered: it answered 403.', undefined, 502)
  const gateway = gatewayOf({}, { 'user.test-notice': refused })
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Send test notification' }))
  expect(await screen.findByText(/it answered 403/)).toBeTruthy()
})

test('a Gotify priority of 0 is kept: it is the silent one, and not the default', async () => {
  const gateway = gatewayOf({}, { 'user.setting': () => undefined })
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('combobox', { name: 'Send notifications' }))
  await user.click(await screen.findByRole('option', { name: 'To Gotify' }))
  await user.click(screen.getByLabelText('Priority, 0 to 10'))
  await user.keyboard('0')
  await user.click(screen.getByRole('button', { name: 'Save preferences' }))
  await screen.findByText('Saved.')
  const input = gateway.calls.find(({ name }) => name === 'user.setting')?.input
  expect(input).toMatchObject({ gotify_priority: 0 })
})
