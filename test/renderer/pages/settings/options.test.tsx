import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { oftenChanged } from '../../../../renderer/pages/settings/options/often-changed.ts'
import { optionAreas } from '../../../../renderer/pages/settings/options/option-entries.ts'
import { createFakeGateway, refuse, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const keys = optionAreas.flatMap(({ entries }) => entries.map(({ key }) => key))

/** They have places of their own: sharing, prices, groups; or nothing of this console does what they say. */
const elsewhere = [
  'BackupHours',
  'BackupKeep',
  'DemoSiteEnabled',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ModelPrice',
  'UnitPrice',
  'GroupRatio',
  'GroupGroupRatio',
  'UserUsableGroups',
  'AutoGroups',
  'DefaultUseAutoGroup',
  'TopupGroupRatio',
  'PasswordRegisterEnabled',
  'DataExportDefaultTime',
  'DisplayTokenStatEnabled',
  'PayMethods',
  'PausedSince',
  'SelfUseModeEnabled',
  'DesktopNotifyKeyRefused',
  'DesktopNotifyBudget',
  'DesktopNotifyChannel',
  'DesktopStartHidden',
  'DesktopUpdateFeed',
]

test('every option is on the page once, or has another place', () => {
  expect(new Set(keys).size).toBe(keys.length)
  const known = [...keys, ...elsewhere].sort()
  expect(known).toEqual(Object.keys(defaultSettings).sort())
})

const stored = () =>
  keys.map((key) => ({ key, value: key === 'RetryTimes' ? '5' : '2', default: '2' }))

test('ten options are in view, the others lie folded under their themes', async () => {
  const user = renderConsole(createFakeGateway({ 'option.list': stored }), '/settings/options')
  await screen.findByLabelText('Max failovers')
  expect(oftenChanged).toHaveLength(10)
  expect(screen.getAllByText('changed')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Reset to default: Max failovers' })).toBeTruthy()
  expect(screen.queryByLabelText('Idle timeout')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Timeouts, proxy, TLS' }))
  expect(screen.getByLabelText('Idle timeout')).toBeTruthy()
})

test.each([
  ['name', 'idle timeout'],
  ['hint', 'channel can have its own'],
  ['key', 'UpstreamIdle'],
])('an option is found by its %s', async (_by, words) => {
  const user = renderConsole(createFakeGateway({ 'option.list': stored }), '/settings/options')
  await user.type(await screen.findByLabelText('Find an option'), words)
  expect(await screen.findByLabelText('Idle timeout')).toBeTruthy()
  expect(screen.queryByLabelText('Max failovers')).toBeNull()
})

test('what only matters for several people waits until the gateway is shared, unless it was changed', async () => {
  const changed = () =>
    stored().map((one) => (one.key === 'QuotaForNewUser' ? { ...one, value: '9' } : one))
  const user = renderConsole(createFakeGateway({ 'option.list': changed }), '/settings/options')
  const field = await screen.findByLabelText('Find an option')
  await user.type(field, 'account')
  expect(await screen.findByLabelText('New account quota')).toBeTruthy()
  expect(screen.queryByLabelText('Open registration')).toBeNull()
  await user.clear(field)
  expect(screen.queryByRole('button', { name: 'Payments' })).toBeNull()
})

test('a shared gateway has them all, and shares no more by a switch that skips the question', async () => {
  const gateway = createFakeGateway({ ...shared, 'option.list': stored })
  const user = renderConsole(gateway, '/settings/options')
  await user.type(await screen.findByLabelText('Find an option'), 'account')
  expect(await screen.findByLabelText('Open registration')).toBeTruthy()
  await user.clear(screen.getByLabelText('Find an option'))
  await user.type(screen.getByLabelText('Find an option'), 'SelfUseMode')
  expect(await screen.findByText('No option found')).toBeTruthy()
})

test('a refusal names the option by its label', async () => {
  const gateway = createFakeGateway({
    'option.list': stored,
    'option.update': () =>
      refuse('The option "RetryTimes" is too large: at most 20.', 'RetryTimes', 400, undefined, {
        ...{ code: 'field_too_large', most: 20 },
      }),
  })
  const user = renderConsole(gateway, '/settings/options')
  await user.type(await screen.findByLabelText('Max failovers'), '99{Enter}')
  expect(await screen.findByText('Max failovers can be at most 20.')).toBeTruthy()
})

test('leaving with an edit asks first, and staying keeps what was typed', async () => {
  const user = renderConsole(createFakeGateway({ 'option.list': stored }), '/settings/options')
  const field = await screen.findByLabelText('Max failovers')
  await user.clear(field)
  await user.type(field, '7')
  const unload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(unload()).toBe(true)
  await user.click(screen.getByRole('link', { name: 'Channels' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(dialog).getByRole('button', { name: 'Stay' }))
  expect(screen.getByLabelText('Max failovers')).toHaveProperty('value', '7')
  await user.click(screen.getByRole('link', { name: 'Channels' }))
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('heading', { name: 'Channels' })).toBeTruthy()
  expect(unload()).toBe(false)
})

test('Back asks too, and an edit taken back lets go', async () => {
  const gateway = createFakeGateway({ 'option.list': stored })
  const user = renderConsole(gateway, '/settings/options')
  const field = await screen.findByLabelText('Max failovers')
  await user.type(field, '7')
  const back = () => {
    window.history.replaceState(null, '', '/console/redeem')
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  back()
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(window.location.pathname).toBe('/console/settings/options')
  expect(screen.getByLabelText('Max failovers')).toHaveProperty('value', '57')
  await user.type(screen.getByLabelText('Max failovers'), '{Backspace}')
  back()
  expect(await screen.findByRole('heading', { name: 'Redeem' })).toBeTruthy()
})

test('ports are sent as numbers, and what is none stays as it was typed', async () => {
  const key = 'fetch_setting.allowed_ports'
  const gateway = createFakeGateway({
    'option.list': () => [{ key, value: '[80,443]' }],
    'option.update': () => undefined,
  })
  const user = renderConsole(gateway, '/settings/options?find=allowed_ports')
  await user.type(await screen.findByLabelText('Allowed ports'), '8443{Enter}http{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save Allowed ports' }))
  await waitFor(() =>
    expect(gateway.calls.find(({ name }) => name === 'option.update')?.input).toEqual({
      key,
      value: '[80,443,8443,"http"]',
    }),
  )
})

test('what is trusted is saved once the owner has shown the password', async () => {
  let isVerified = false
  const gateway = createFakeGateway({
    'option.list': () => [{ key: 'ExtraCaCertificates', value: '', default: '' }],
    'option.update': () => {
      if (isVerified) return undefined
      throw new CallFailure({ code: 'VERIFICATION_REQUIRED', message: 'First.', status: 403 })
    },
    'verify.status': () => ({ verified: false, expires_at: null, methods: ['password'] }),
    'verify.run': () => {
      isVerified = true
      return { verified: true, expires_at: 1 }
    },
  })
  const user = renderConsole(gateway, '/settings/options?find=extra%20certificates')
  await user.type(await screen.findByLabelText('Extra CA certificates'), '/etc/ours.pem')
  await user.click(screen.getByRole('button', { name: 'Save Extra CA certificates' }))
  await user.type(await screen.findByLabelText('Your password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  const updates = () => gateway.calls.filter(({ name }) => name === 'option.update')
  await waitFor(() => expect(updates()).toHaveLength(2))
  expect(updates().at(-1)?.input).toEqual({ key: 'ExtraCaCertificates', value: '/etc/ours.pem' })
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
})
