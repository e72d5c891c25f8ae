// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

test('the language changes at once and is kept', async () => {
  const user = renderConsole(createFakeGateway(), '/settings')
  await user.click(await screen.findByLabelText('简体中文'))
  expect(await screen.findByRole('heading', { name: '设置' })).toBeTruthy()
  expect(document.documentElement.lang).toBe('zh-CN')
  expect(localStorage.getItem('switchyard-language')).toBe('zh')
})

test('Ctrl K finds a channel by its name and opens it', async () => {
  const channel = { id: 7, name: 'Work account', models: '', group: '', settings: '' }
  const gateway = createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 100, total: 1, items: [channel] }),
  })
  const user = renderConsole(gateway)
  await screen.findByRole('heading', { name: 'Overview' })
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), 'work')
  await user.keyboard('{Enter}')
  expect(window.location.pathname + window.location.search).toBe('/console/channels?open=7')
})

test('an address that no page has says so', async () => {
  renderConsole(createFakeGateway(), '/nowhere')
  expect(await screen.findByText('Page not found')).toBeTruthy()
})

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

test('today’s spending without any price is not shown as $0', async () => {
  const stat = {
    quota: 0,
    rpm: 1,
    tpm: 2,
    calls: 3,
    errors: 0,
    prompt_tokens: 9,
    completion_tokens: 9,
  }
  renderConsole(createFakeGateway({ 'call.stat': () => stat }))
  expect(await screen.findByText('unpriced')).toBeTruthy()
  expect(document.body.textContent).not.toContain('$0')
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
  expect(screen.getByRole('button', { name: /Copy the base URL .*, paused/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByRole('button', { name: /Copy the base URL .*, running/ })).toBeTruthy()
  expect(screen.queryByText(/^Paused since/)).toBeNull()
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
  expect(await screen.findByRole('button', { name: /Copy the base URL .*, paused/ })).toBeTruthy()
})
