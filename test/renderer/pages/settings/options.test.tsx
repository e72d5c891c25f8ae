// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { optionAreas } from '../../../../renderer/pages/settings/options/option-entries.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const keys = optionAreas.flatMap(({ entries }) => entries.map(({ key }) => key))

/** They have pages of their own: prices, groups; or nothing of this console does what they say. */
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

test('ports are sent as numbers, and what is none stays as it was typed', async () => {
  const key = 'fetch_setting.allowed_ports'
  const gateway = createFakeGateway({
    'option.list': () => [{ key, value: '[80,443]' }],
    'option.update': () => undefined,
  })
  const user = renderConsole(gateway, '/settings/options')
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
  const user = renderConsole(gateway, '/settings/options')
  await user.type(await screen.findByLabelText('Extra CA certificates'), '/etc/ours.pem')
  await user.click(screen.getByRole('button', { name: 'Save Extra CA certificates' }))
  await user.type(await screen.findByLabelText('Your password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  const updates = () => gateway.calls.filter(({ name }) => name === 'option.update')
  await waitFor(() => expect(updates()).toHaveLength(2))
  expect(updates().at(-1)?.input).toEqual({ key: 'ExtraCaCertificates', value: '/etc/ours.pem' })
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
})
