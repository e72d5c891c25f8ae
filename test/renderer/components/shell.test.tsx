import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { english } from '../../../renderer/i18n/english/texts.ts'
import { startTranslation } from '../../../renderer/i18n/start-translation.ts'
import { createFakeGateway, goodHealth, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

test('the language changes at once and is kept', async () => {
  const user = renderConsole(createFakeGateway(), '/settings')
  await user.click(await screen.findByLabelText('简体中文'))
  expect(await screen.findByRole('heading', { name: '设置' })).toBeTruthy()
  expect(document.documentElement.lang).toBe('zh-CN')
  expect(localStorage.getItem('switchyard-language')).toBe('zh')
})

test('an address that no page has says so', async () => {
  renderConsole(createFakeGateway(), '/nowhere')
  expect(await screen.findByText('Page not found')).toBeTruthy()
})

test.each(['channels', 'routes', 'users', 'codes', 'health'])(
  'a user who opens /%s by its address is told that it is for administrators, without buttons that fail',
  async (path) => {
    const asked: string[] = []
    const gateway = createFakeGateway({
      'user.self': () => ({ id: 2, username: 'bob', role: 1, has_password: true }),
    })
    const { call } = gateway
    gateway.call = ((name, ...rest) => {
      asked.push(name)
      return call(name, ...rest)
    }) as typeof call
    renderConsole(gateway, `/${path}`)
    expect(await screen.findByText(/^Only administrators of this gateway/)).toBeTruthy()
    const page = screen.getByRole('main')
    expect(within(page).getByRole('link', { name: 'Go to Overview' })).toBeTruthy()
    expect(within(page).queryAllByRole('button')).toEqual([])
    expect(asked.filter((name) => /^(channel|route|redemption|health)\./.test(name))).toEqual([])
  },
)

test('a refused setting stays as typed, with the reason', async () => {
  const gateway = createFakeGateway({
    'option.list': () => [{ key: 'RetryTimes', value: '2' }],
    'option.update': () => refuse('RetryTimes can be at most 20.', 'RetryTimes'),
  })
  const user = renderConsole(gateway, '/settings/options')
  const field = await screen.findByLabelText('Max failovers')
  await user.clear(field)
  await user.type(field, '99{Enter}')
  expect(await screen.findByText('RetryTimes can be at most 20.')).toBeTruthy()
  expect(field).toHaveProperty('value', '99')
})

test('a pause is shown on every page and in the server pill, and the owner resumes it', async () => {
  let since: number | null = 1_700_000_000
  const gateway = createFakeGateway({
    'server.get': () => ({ url: 'http://127.0.0.1:4747', started_at: 1, paused_since: since }),
    'server.resume': () => {
      since = null
    },
  })
  const user = renderConsole(gateway, '/channels')
  expect(await screen.findByText(/^Paused since .*new calls get status 503/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Health, paused/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByRole('button', { name: /^Health, running/ })).toBeTruthy()
  expect(screen.queryByText(/^Paused since/)).toBeNull()
})

test('the server pill opens the health of the gateway: its problems in words, figures on demand', async () => {
  const warnings = [{ code: 'disk_low', message: 'Only 120 MiB are free.', since: null }]
  const gateway = createFakeGateway({
    'server.get': () => ({ url: 'http://127.0.0.1:4747', started_at: 1, paused_since: null }),
    'diagnostics.health': () => ({ ...goodHealth, status: 'warning', warnings }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('button', { name: 'Health, running, 1 problem' }))
  const health = within(await screen.findByRole('dialog', { name: /^Health/ }))
  expect(health.getByText('Only 120 MiB are free.')).toBeTruthy()
  expect(health.queryByText('Memory')).toBeNull()
  await user.click(health.getByRole('button', { name: 'Details' }))
  expect(health.getByText('Memory')).toBeTruthy()
  await user.click(health.getByRole('link', { name: 'Open Health' }))
  expect(window.location.pathname).toBe('/console/health')
})

test.each([
  [['keychain_locked', 'disk_low'], 'Health, running, 2 problems'],
  [['keychain_locked'], 'Health, running, 1 problem'],
])('the server pill lists as many problems as it counts: %j', async (codes, name) => {
  const warnings = codes.map((code) => ({ code, message: `Told: ${code}.`, since: null }))
  const gateway = createFakeGateway({
    'server.get': () => ({ url: 'http://127.0.0.1:4747', started_at: 1, paused_since: null }),
    'diagnostics.health': () => ({ ...goodHealth, status: 'failing', warnings }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('button', { name }))
  const health = within(await screen.findByRole('dialog', { name: /^Health/ }))
  const told = health.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(told).toEqual(codes.map((code) => `Told: ${code}.`))
})

test('a pause is told by its banner alone, and not again by the health', async () => {
  const warnings = [{ code: 'paused', message: 'The gateway is paused.', since: null }]
  const gateway = createFakeGateway({
    'server.get': () => ({ url: 'http://127.0.0.1:4747', started_at: 1, paused_since: 5 }),
    'diagnostics.health': () => ({ ...goodHealth, status: 'warning', warnings }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('button', { name: 'Health, paused' }))
  const health = within(await screen.findByRole('dialog', { name: /^Health/ }))
  expect(health.getByText('See the banner at the top of the page.')).toBeTruthy()
  expect(screen.getAllByText(/paused since/i)).toHaveLength(1)
  expect(screen.queryByText('The gateway is paused.')).toBeNull()
})

test('the server pill of a gateway that stopped to answer knows nothing of its health', async () => {
  const gateway = createFakeGateway({
    'server.get': () => ({ url: 'http://127.0.0.1:4747', started_at: 1, paused_since: null }),
    'diagnostics.health': () => ({ ...goodHealth, warnings: [] }),
  })
  renderConsole(gateway, '/connect/tokens')
  await screen.findByRole('button', { name: 'Health, running' })
  gateway.answer('server.get', () => {
    throw new CallFailure({ code: 'unreachable', message: 'It does not answer.', status: 0 })
  })
  gateway.push('server')
  expect(await screen.findByText('not responding')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Health/ })).toBeNull()
})

test('the owner pauses on the Settings page', async () => {
  let paused = false
  const gateway = createFakeGateway({
    'server.get': () => ({
      ...{ url: 'http://127.0.0.1:4747', started_at: 1, data_folder: '', version: '1' },
      paused_since: paused ? 1_700_000_000 : null,
    }),
    'server.pause': () => {
      paused = true
    },
  })
  const user = renderConsole(gateway, '/settings')
  await user.click(await screen.findByRole('button', { name: 'Pause' }))
  expect(await screen.findByRole('button', { name: /^Health, paused/ })).toBeTruthy()
})

test('after a restart the page shows again what it could not load, without a click', async () => {
  const server = { url: 'http://127.0.0.1:4747', started_at: 1 }
  let isAway = true
  const away = () => {
    throw new CallFailure({
      code: 'unreachable',
      message: 'The gateway does not answer.',
      status: 0,
    })
  }
  const gateway = createFakeGateway({
    'server.get': () => (isAway ? away() : server),
    'price.list': () => (isAway ? away() : { items: [] }),
  })
  renderConsole(gateway, '/usage/prices')
  await screen.findByText('The gateway does not answer.')
  isAway = false
  gateway.push('server')
  expect(await screen.findByText('No model matches')).toBeTruthy()
  expect(screen.queryByText('The gateway does not answer.')).toBeNull()
})

test('counts are grouped wherever they stand, and one is no plural', () => {
  const { t } = startTranslation('en', english)
  expect(t('usage.andUnpriced', { count: 2932 })).toBe('+ 2,932 unpriced calls')
  expect(t('tokens.limitedRequests', { count: 1 })).toBe('1 request/min')
  expect(t('tokens.limitedTokens', { count: 250_000 })).toBe('250,000 tokens/min')
})
