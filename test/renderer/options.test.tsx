// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../main/store/default-settings.ts'
import { optionAreas } from '../../renderer/pages/settings/options/option-entries.ts'
import { createFakeGateway } from './fake-client.ts'
import { renderConsole } from './render-console.tsx'

const keys = optionAreas.flatMap(({ entries }) => entries.map(({ key }) => key))

/** They have pages of their own: prices, groups; or nothing of this console does what they say. */
const elsewhere = [
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
