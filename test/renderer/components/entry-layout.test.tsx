import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

function signedOut(): never {
  throw new CallFailure({ code: 'unauthenticated', message: 'Sign in first.', status: 401 })
}

describe('the login', () => {
  test('a wrong password keeps both fields and says the server’s sentence', async () => {
    const gateway = createFakeGateway({
      // Slow, so that the page would be seen to vanish if the account were read again.
      'user.self': () => new Promise((resolve) => setTimeout(resolve, 30)).then(signedOut),
      'session.login': () => refuse('User name or password is wrong.', undefined, 401),
    })
    const user = renderConsole(gateway)
    await user.type(await screen.findByLabelText('User name'), 'owner')
    await user.type(screen.getByLabelText('Password'), 'wrong')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText('User name or password is wrong.')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(screen.getByText('User name or password is wrong.')).toBeTruthy()
    expect(screen.getByLabelText('User name')).toHaveProperty('value', 'owner')
    expect(screen.getByLabelText('Password')).toHaveProperty('value', 'wrong')
  })

  test('a session that ends on any page leads back to it', async () => {
    const gateway = createFakeGateway()
    const user = renderConsole(gateway)
    await screen.findByRole('heading', { name: 'Overview' })
    gateway.answer('user.self', signedOut)
    gateway.answer('channel.search', signedOut)
    await user.click(screen.getAllByRole('link', { name: 'Channels' })[0] as HTMLElement)
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
  })
})

describe('the first run', () => {
  test('leads from the owner over Echo to a token and its command', async () => {
    const echo = { id: 'echo', name: 'Echo', type: 900, base_url: '', models: ['echo'] }
    const gateway = createFakeGateway({
      'setup.status': () => ({ status: false, root_init: false, database_type: 'sqlite' }),
      'user.self': signedOut,
      'channel.presets': () => [{ ...echo, endpoint_types: [], key_url: '', needs_key: false }],
    })
    gateway.answer('setup.run', () => {
      gateway.answer('setup.status', () => ({ status: true }))
      gateway.answer('user.self', () => ({ id: 1, username: 'owner', role: 100 }))
    })
    gateway.answer('channel.create', () => {
      gateway.answer('channel.list', () => ({ page: 1, page_size: 1, total: 1, items: [] }))
      return { ids: [1] }
    })
    gateway.answer('token.create', () => ({ id: 1, key: 'sk-first' }))

    const user = renderConsole(gateway)
    await user.type(await screen.findByLabelText('User name'), 'owner')
    await user.type(screen.getByLabelText('Password'), 'long-enough')
    await user.type(screen.getByLabelText('Password again'), 'long-enough')
    await user.click(screen.getByRole('button', { name: 'Create owner' }))
    await user.click(await screen.findByRole('button', { name: 'Use Echo' }))
    await user.click(await screen.findByRole('button', { name: 'Create token' }))
    expect((await screen.findByLabelText('Key')).textContent).toBe('sk-first')
    expect(gateway.calls.find(({ name }) => name === 'channel.create')?.input).toMatchObject({
      mode: 'single',
      channel: { type: 900, models: 'echo' },
    })
  })

  test('a refused password is said at its own field', async () => {
    const gateway = createFakeGateway({
      'setup.status': () => ({ status: false }),
      'setup.run': () => refuse('The passwords don’t match.', 'confirmPassword'),
    })
    const user = renderConsole(gateway)
    await user.type(await screen.findByLabelText('User name'), 'owner')
    await user.click(screen.getByRole('button', { name: 'Create owner' }))
    const again = screen.getByLabelText('Password again')
    await waitFor(() => expect(again.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText('The passwords don’t match.')).toBeTruthy()
  })
})
