import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

test('new backup codes are shown, and how many are left is counted anew', async () => {
  let left = 1
  const gateway = createFakeGateway({
    'two-factor.status': () => ({ enabled: true, locked: false, backup_codes_remaining: left }),
    'two-factor.backup-codes': ({ code }: { code: string }) => {
      if (code !== '123456') refuse('This code is wrong.', 'code')
      left = 3
      return { backup_codes: ['AAAA-1111', 'BBBB-2222', 'CCCC-3333'] }
    },
  })
  const user = renderConsole(gateway, '/settings/security')
  await screen.findByText('1 backup code left')
  await user.click(screen.getByRole('button', { name: 'New backup codes' }))
  const field = screen.getByLabelText('Code')
  await user.type(field, '111111{Enter}')
  expect(await screen.findByText('This code is wrong.')).toBeTruthy()
  expect(screen.getByText('1 backup code left')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '123456{Enter}')
  const codes = await screen.findByRole('region', { name: 'Backup codes' })
  expect(codes.textContent).toContain('CCCC-3333')
  expect(await screen.findByText('3 backup codes left')).toBeTruthy()
  expect(screen.queryByLabelText('Code')).toBeNull()
})

test('new backup codes aren’t lost by leaving the page unasked, until they are said to be kept', async () => {
  const gateway = createFakeGateway({
    'two-factor.status': () => ({ enabled: true, locked: false, backup_codes_remaining: 4 }),
    'two-factor.backup-codes': () => ({ backup_codes: ['AAAA-1111'] }),
  })
  const user = renderConsole(gateway, '/settings/security')
  await user.click(await screen.findByRole('button', { name: 'New backup codes' }))
  await user.type(screen.getByLabelText('Code'), '123456{Enter}')
  await screen.findByRole('region', { name: 'Backup codes' })
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  expect(dialog.textContent).toContain('The new backup codes aren’t shown again')
  await user.click(within(dialog).getByRole('button', { name: 'Stay' }))
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByRole('region', { name: 'Backup codes' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
})

test('a lock that has ended is no longer told', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let locked = true
  const gateway = createFakeGateway({
    'two-factor.status': () => ({ enabled: true, locked, backup_codes_remaining: 4 }),
  })
  renderConsole(gateway, '/settings/security')
  const note = await screen.findByText('Too many wrong codes. Try again in a few minutes.')
  locked = false
  vi.advanceTimersByTime(60_000)
  await waitFor(() => expect(note.isConnected).toBe(false))
})

test('a new password takes the ended sessions off the list', async () => {
  const session = (id: string, current: boolean) => ({
    ...{ id, current, ip: '127.0.0.1', user_agent: '', created_time: 1, expires_at: 2 },
  })
  let sessions = [session('a', true), session('b', false)]
  const gateway = createFakeGateway({
    'session.list': () => sessions,
    'user.update-self': () => {
      sessions = sessions.slice(0, 1)
      return undefined
    },
  })
  const user = renderConsole(gateway, '/settings/security')
  await screen.findByRole('button', { name: 'End the session of unknown' })
  await user.type(screen.getByLabelText('New password'), 'another horse')
  await user.type(screen.getByLabelText('New password again'), 'another horse')
  const set = screen.getByRole<HTMLButtonElement>('button', { name: 'Set password' })
  expect(set.disabled).toBe(true)
  await user.type(screen.getByLabelText('Current password'), 'correct horse')
  await user.click(set)
  await screen.findByText('Password changed.')
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: 'End the session of unknown' })).toBeNull()
  })
})

test.each(['New backup codes', 'Switch off'])(
  '%s says that it ends other sessions and the access token',
  async (act) => {
    const status = { enabled: true, locked: false, backup_codes_remaining: 4 }
    const gateway = createFakeGateway({ 'two-factor.status': () => status })
    const user = renderConsole(gateway, '/settings/security')
    await user.click(await screen.findByRole('button', { name: act }))
    await screen.findByText(/other sessions and the access token end\.$/)
  },
)

test('Switch on says that it ends other sessions and the access token', async () => {
  const gateway = createFakeGateway({
    'two-factor.status': () => ({ enabled: false, locked: false }),
    'two-factor.setup': () => ({
      secret: 'ABC',
      qr_code_data: 'otpauth://totp/a',
      backup_codes: [],
    }),
  })
  const user = renderConsole(gateway, '/settings/security')
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  await screen.findByText(/other sessions and the access token end\.$/)
})

test('a second factor that was switched on or off in another tab is shown as it is after a conflict', async () => {
  let enabled = false
  const conflict = (message: string): never => {
    enabled = !enabled
    throw new CallFailure({ status: 409, code: 'conflict', message })
  }
  const gateway = createFakeGateway({
    'two-factor.status': () => ({ enabled, locked: false, backup_codes_remaining: 4 }),
    'two-factor.setup': () => conflict('The second factor is on already.'),
    'two-factor.disable': () => conflict('The second factor is not on.'),
  })
  const user = renderConsole(gateway, '/settings/security')
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  await screen.findByText('4 backup codes left')
  await user.click(screen.getByRole('button', { name: 'Switch off' }))
  await user.type(screen.getByLabelText('Code'), '123456{Enter}')
  await screen.findByText('Not set up: the password alone opens this account.')
})
