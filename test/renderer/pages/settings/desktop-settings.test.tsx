import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const login = {
  supported: true,
  problem: null as string | null,
  open_at_login: false,
  start_hidden: true,
  path: null,
}
const update = { feed: 'https://example.com/f', checked_at: 1, failure: null, newer: null }
const newer = { version: '2.0.0', url: 'https://example.com/d', notes: '' }

const desktopWith = (fields: object = {}) => ({
  available: true,
  in_window: false,
  login,
  update,
  chromium: '150',
  ...fields,
})

describe('the desktop settings', () => {
  test('headless are not among the sections, and a link to them says why there are none', async () => {
    renderConsole(createFakeGateway(), '/settings')
    await screen.findByText('Options')
    expect(screen.queryByText('Desktop')).toBeNull()
  })

  test('headless say that there is nothing to set', async () => {
    renderConsole(createFakeGateway(), '/settings/desktop')
    await screen.findByText(/runs without the desktop app/)
  })

  test('in a browser offer no button that opens a folder on another machine', async () => {
    const client = createFakeGateway({ 'desktop.get': () => desktopWith() })
    renderConsole(client, '/settings/desktop')
    await screen.findByText('Start at login')
    expect(screen.queryByRole('button', { name: 'Open folder' })).toBeNull()
  })

  test('send both switches when one is changed, and show what the system says afterwards', async () => {
    const client = createFakeGateway({
      'desktop.get': () => desktopWith(),
      // The system kept it off.
      'desktop.set-login-item': () => desktopWith(),
    })
    const user = renderConsole(client, '/settings/desktop')
    const box = await screen.findByRole('switch', { name: 'Start at login' })
    await user.click(box)
    await waitFor(() =>
      expect(client.calls).toContainEqual({
        name: 'desktop.set-login-item',
        input: { open_at_login: true, start_hidden: true },
      }),
    )
    await waitFor(() => expect(box).toHaveProperty('disabled', false))
    expect(box).toHaveProperty('checked', false)
  })

  test.each([
    ['development', /Running from source/],
    ['approval', /System Settings/],
    ['foreign', /didn’t write this file/],
    ['elsewhere', /another copy/],
  ])('tell of the problem %s', async (problem, sentence) => {
    const client = createFakeGateway({
      'desktop.get': () => desktopWith({ login: { ...login, problem } }),
    })
    renderConsole(client, '/settings/desktop')
    await screen.findByText(sentence)
  })

  test('show why the last check failed, without calling it up to date', async () => {
    const failure = 'The update feed answered with status 404. Check its address.'
    const client = createFakeGateway({
      'desktop.get': () => desktopWith({ update: { ...update, failure } }),
      'option.list': () => [{ key: 'DesktopUpdateFeed', value: update.feed, default: '' }],
    })
    renderConsole(client, '/settings/desktop')
    await screen.findByText(failure)
    expect(screen.queryByText('Up to date')).toBeNull()
  })
})

test('a newer version is told on other pages until it is put away', async () => {
  const client = createFakeGateway({
    'desktop.get': () => desktopWith({ update: { ...update, newer } }),
  })
  const user = renderConsole(client, '/connect/tokens')
  const note = (await screen.findByText('Version 2.0.0 is available')).closest('[role=status]')
  const close = note?.querySelector('button')
  if (!close) throw new Error('The note has no button')
  await user.click(close)
  expect(screen.queryByText('Version 2.0.0 is available')).toBeNull()
})
