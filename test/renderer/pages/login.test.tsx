import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

function signedOut(): never {
  throw new CallFailure({ code: 'unauthenticated', message: 'Sign in first.', status: 401 })
}

const ada = { id: 2, username: 'ada', role: 1, quota: 0 }

test('an account with a second factor is asked for a code, and is in after the right one', async () => {
  const gateway = createFakeGateway({
    'user.self': signedOut,
    'session.login': () => ({ require_2fa: true }),
    'session.login-2fa': () => refuse('The code is wrong.', 'code'),
  })
  const user = renderConsole(gateway)
  await user.type(await screen.findByLabelText('User name'), 'ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  const code = await screen.findByLabelText('Code')
  expect(screen.getByText('ada signs in with a second factor.')).toBeTruthy()
  await user.type(code, '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText('The code is wrong.')).toBeTruthy()
  expect(code).toHaveProperty('value', '123456')

  gateway.answer('session.login-2fa', () => {
    gateway.answer('user.self', () => ada)
    return ada
  })
  await user.clear(code)
  await user.type(code, ' ABCD-1234 ')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
  expect(gateway.calls.filter(({ name }) => name === 'session.login-2fa').at(-1)?.input).toEqual({
    code: 'ABCD-1234',
  })
})

test('a login with a backup code tells when few are left, before the last one is gone', async () => {
  const gateway = createFakeGateway({
    'user.self': signedOut,
    'session.login': () => ({ require_2fa: true }),
  })
  gateway.answer('session.login-2fa', () => {
    gateway.answer('user.self', () => ada)
    return { ...ada, backup_codes_left: 1 }
  })
  const user = renderConsole(gateway)
  await user.type(await screen.findByLabelText('User name'), 'ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await user.type(await screen.findByLabelText('Code'), 'ABCD-1234{Enter}')
  expect(await screen.findByText('1 backup code left')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Overview' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
})

test('a locked account says for how long, and the way back leads to the password', async () => {
  const gateway = createFakeGateway({
    'user.self': signedOut,
    'session.login': () => ({ require_2fa: true }),
    'session.login-2fa': () => {
      throw new CallFailure({
        code: 'locked',
        message: 'Too many wrong codes. Try again in 4 minutes 12 seconds.',
        status: 423,
      })
    },
  })
  const user = renderConsole(gateway)
  await user.type(await screen.findByLabelText('User name'), 'ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await user.type(await screen.findByLabelText('Code'), '000000{Enter}')
  expect(await screen.findByText(/Try again in 4 minutes 12 seconds/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Sign in with another account' }))
  expect(screen.getByLabelText('User name')).toHaveProperty('value', 'ada')
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '')
})

test('an account can be made only where the gateway offers it', async () => {
  const gateway = createFakeGateway({
    'user.self': signedOut,
    'status.get': () => ({ register_enabled: false }),
  })
  renderConsole(gateway)
  await screen.findByLabelText('User name')
  await waitFor(() => expect(gateway.calls.some(({ name }) => name === 'status.get')).toBe(true))
  expect(screen.queryByRole('button', { name: 'Create an account' })).toBeNull()
})

test('a new account is signed in at once; a taken name is said at its field', async () => {
  const gateway = createFakeGateway({
    'user.self': signedOut,
    'status.get': () => ({ register_enabled: true }),
    'user.register': () => refuse('The name "ada" is taken.', 'username', 409),
    'session.login': () => {
      gateway.answer('user.self', () => ada)
      return ada
    },
  })
  const user = renderConsole(gateway)
  await user.click(await screen.findByRole('button', { name: 'Create an account' }))
  await user.type(screen.getByLabelText('User name'), 'ada')
  await user.type(screen.getByLabelText('Password, at least 8 characters'), 'correct horse')
  await user.type(screen.getByLabelText('Password again'), 'correct house')
  expect(screen.getByText('The passwords don’t match.')).toBeTruthy()
  const submit = screen.getByRole('button', { name: 'Create an account' })
  expect(submit).toHaveProperty('disabled', true)
  await user.clear(screen.getByLabelText('Password again'))
  await user.type(screen.getByLabelText('Password again'), 'correct horse')
  await user.click(submit)
  expect(await screen.findByText('The name "ada" is taken.')).toBeTruthy()
  expect(screen.getByLabelText('User name')).toHaveProperty('value', 'ada')

  gateway.answer('user.register', () => undefined)
  await user.click(screen.getByRole('button', { name: 'Create an account' }))
  expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
})

test('what one account has read is not shown to the next', async () => {
  const secret = {
    id: 7,
    name: 'the tool of bob',
    key: 'sk-b****',
    model_limits: '',
    group: '',
    model_aliases: {},
  }
  const gateway = createFakeGateway({
    'token.list': () => ({ page: 1, page_size: 50, total: 1, items: [secret] }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await screen.findByText('the tool of bob')
  gateway.answer('session.logout', () => gateway.answer('user.self', signedOut))
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await screen.findByLabelText('Password')

  gateway.answer('token.list', () => new Promise(() => {}))
  gateway.answer('session.login', () => {
    gateway.answer('user.self', () => ada)
    return ada
  })
  await user.type(screen.getByLabelText('User name'), 'ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await screen.findByRole('heading', { name: 'Connect' })
  expect(document.body.textContent).not.toContain('the tool of bob')
})

describe('a session that ends by itself', () => {
  const server = { url: 'http://127.0.0.1:4747', ledger_problem: null, started_at: 1 }

  /** Types into a form of ada's, then her session ends. */
  const endWhile = async (typed: string) => {
    const gateway = createFakeGateway({ 'user.self': () => ada })
    const user = renderConsole(gateway, '/settings/security')
    const field = await screen.findByLabelText('New password')
    if (typed) await user.type(field, typed)
    gateway.answer('user.self', signedOut)
    gateway.answer('server.get', signedOut)
    gateway.push('server')
    const title = await screen.findByRole('heading', { name: 'Sign in to Switchyard' })
    const signIn = async (as: typeof ada) => {
      gateway.answer('session.login', () => {
        gateway.answer('user.self', () => as)
        gateway.answer('server.get', () => server)
        return as
      })
      const login = within(title.closest('main') as HTMLElement)
      await user.type(login.getByLabelText('Password'), 'correct horse{Enter}')
      await waitFor(() => expect(title.isConnected).toBe(false))
    }
    return { gateway, user, signIn }
  }

  test('keeps what was typed for the same user', async () => {
    const { signIn } = await endWhile('half typed')
    expect(
      screen.getByText('Your session has ended. Sign in as ada to go on with your edits.'),
    ).toBeTruthy()
    expect(screen.getByLabelText('User name')).toHaveProperty('value', 'ada')
    await signIn(ada)
    expect(screen.getByLabelText('New password')).toHaveProperty('value', 'half typed')
  })

  test('keeps nothing of it for another user', async () => {
    const { signIn } = await endWhile('half typed')
    await signIn({ ...ada, id: 3, username: 'bob' })
    expect(await screen.findByText('bob')).toBeTruthy()
    expect(await screen.findByLabelText('New password')).toHaveProperty('value', '')
  })

  test('is told by what was asked for in vain, and the edits wait below the login', async () => {
    const gateway = createFakeGateway({ 'user.self': () => ({ ...ada, has_password: false }) })
    const user = renderConsole(gateway, '/settings/security')
    for (const label of ['New password', 'New password again'])
      await user.type(await screen.findByLabelText(label), 'half typed')
    gateway.answer('user.self', signedOut)
    gateway.answer('user.update-self', signedOut)
    await user.click(screen.getByRole('button', { name: 'Set password' }))
    expect(await screen.findByRole('heading', { name: 'Sign in to Switchyard' })).toBeTruthy()
    expect(screen.getByLabelText('New password')).toHaveProperty('value', 'half typed')
  })

  test('is said to have ended, which one that was signed out is not', async () => {
    const { gateway, user, signIn } = await endWhile('')
    expect(screen.getByText('Your session has ended. Sign in again.')).toBeTruthy()
    await signIn(ada)
    gateway.answer('session.logout', () => gateway.answer('user.self', signedOut))
    await user.click(await screen.findByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('Use your account at this gateway.')).toBeTruthy()
    expect(screen.getByLabelText('User name')).toHaveProperty('value', '')
  })
})
