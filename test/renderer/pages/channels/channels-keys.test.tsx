import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, type FakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { channelRecord, pageOf } from './channel-records.ts'

const preset = {
  id: 'openai',
  name: 'OpenAI',
  type: 1,
  base_url: 'https://api.openai.com/v1',
  endpoint_types: ['openai'],
  key_url: 'https://platform.openai.com/api-keys',
  needs_key: true,
  models: ['gpt-mini'],
}

const many = channelRecord({
  id: 5,
  name: 'Many',
  key_count: 3,
  channel_info: { is_multi_key: true, multi_key_size: 3, multi_key_mode: 'polling' },
})

const inputsOf = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map(({ input }) => input)

const lastInput = (gateway: FakeGateway, name: string) => inputsOf(gateway, name).at(-1)

async function openMenuItem(user: ReturnType<typeof renderConsole>, item: string) {
  await user.click(await screen.findByRole('button', { name: 'More actions for Many' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

test('the form of the chosen vendor has the focus, and the key that chose it sends nothing', async () => {
  const gateway = createFakeGateway({
    'channel.presets': () => [preset],
    'channel.create': () => ({ ids: [1] }),
  })
  const user = renderConsole(gateway, '/channels?new=1')
  await user.type(await screen.findByLabelText('Search vendors'), 'OpenAI{Enter}')
  const name = await screen.findByLabelText('Name')
  await waitFor(() => expect(document.activeElement).toBe(name))
  expect(inputsOf(gateway, 'channel.create')).toEqual([])
})

describe('several keys in a form', () => {
  test('are masked like one', async () => {
    const user = renderConsole(
      createFakeGateway({ 'channel.presets': () => [preset] }),
      '/channels?new=1',
    )
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    const field = await screen.findByLabelText('Channel key')
    await user.click(field)
    await user.paste('sk-one\nsk-two')
    expect(field).toHaveProperty('value', 'sk-one\nsk-two')
    expect(field.className).toContain('masked')
  })

  test('two lines of a new channel become one channel that uses both, in turns if so chosen', async () => {
    const gateway = createFakeGateway({
      'channel.presets': () => [preset],
      'channel.create': () => ({ ids: [1] }),
    })
    const user = renderConsole(gateway, '/channels?new=1')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    await user.type(await screen.findByLabelText('Channel key'), 'sk-one{Enter}sk-two')
    await user.click(await screen.findByLabelText('Key rotation', { selector: 'input' }))
    await user.click(await screen.findByText('Round robin'))
    const drawer = screen.getByRole('dialog')
    await user.click(within(drawer).getByRole('button', { name: 'Add channel' }))
    await waitFor(() =>
      expect(lastInput(gateway, 'channel.create')).toMatchObject({
        mode: 'multi_to_single',
        multi_key_mode: 'polling',
        channel: { key: 'sk-one\nsk-two' },
      }),
    )
  })

  test('a key that is added does not replace the stored ones', async () => {
    const gateway = createFakeGateway({
      'channel.search': () => pageOf([many]),
      'channel.get': () => many,
      'channel.presets': () => [preset],
      'channel.update': () => many,
    })
    const user = renderConsole(gateway, '/channels?open=5')
    await user.type(await screen.findByLabelText('Channel key'), 'sk-four')
    await user.click(await screen.findByText('Keep and add'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(lastInput(gateway, 'channel.update')).toMatchObject({
        id: 5,
        key: 'sk-four',
        key_mode: 'append',
        multi_key_mode: 'polling',
      }),
    )
  })
})

test('the keys stand with state and reason; one is switched on by its place', async () => {
  const reason = 'status 401: this key was revoked'
  const gateway = createFakeGateway({
    'channel.search': () => pageOf([many]),
    'channel.multi-key': ({ action }: { action: string }) =>
      action === 'get_key_status'
        ? {
            keys: [
              { index: 0, status: 1, key_preview: 'sk-…aaaa' },
              {
                index: 1,
                status: 3,
                key_preview: 'sk-…bbbb',
                reason,
                disabled_time: 1_700_000_000,
              },
            ],
            total: 2,
            page: 1,
            page_size: 20,
            total_pages: 1,
            enabled_count: 1,
            manual_disabled_count: 0,
            auto_disabled_count: 1,
          }
        : undefined,
  })
  const user = renderConsole(gateway, '/channels')
  await openMenuItem(user, 'Keys…')
  const dialog = await screen.findByRole('dialog', { name: 'Keys of Many' })
  expect(await within(dialog).findByText(new RegExp(reason))).toBeTruthy()
  expect(within(dialog).getByText('1 enabled · 0 disabled · 1 auto-disabled')).toBeTruthy()
  await user.click(within(dialog).getByRole('switch', { name: 'Key #2 sk-…bbbb is on' }))
  await waitFor(() =>
    expect(inputsOf(gateway, 'channel.multi-key')).toContainEqual({
      channel_id: 5,
      action: 'enable_key',
      key_index: 1,
      key_preview: 'sk-…bbbb',
    }),
  )
})

describe('showing a channel’s key', () => {
  const unverified = () => {
    throw new CallFailure({
      code: 'VERIFICATION_REQUIRED',
      message: 'Verify first.',
      status: 403,
    })
  }

  test('asks who is there, then shows it; a wrong password says so and shows nothing', async () => {
    let isVerified = false
    const gateway = createFakeGateway({
      'channel.search': () => pageOf([many]),
      'channel.key': () => (isVerified ? { key: 'sk-secret' } : unverified()),
      'verify.status': () => ({ verified: false, expires_at: null, methods: ['password'] }),
      'verify.run': ({ code }: { code: string }) => {
        if (code !== 'correct horse') refuse('The password is wrong.', 'code', 401)
        isVerified = true
        return { verified: true, expires_at: 1 }
      },
    })
    const user = renderConsole(gateway, '/channels')
    await openMenuItem(user, 'Show key')
    const password = await screen.findByLabelText('Your password')
    await user.type(password, 'wrong')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The password is wrong.')).toBeTruthy()
    expect(document.body.textContent).not.toContain('sk-secret')
    await user.clear(password)
    await user.type(password, 'correct horse')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('sk-secret')).toBeTruthy()
    expect(lastInput(gateway, 'verify.run')).toEqual({ method: 'password', code: 'correct horse' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(document.body.textContent).not.toContain('sk-secret'))
  })

  test('is not offered to an administrator who is not the owner', async () => {
    const gateway = createFakeGateway({
      'channel.search': () => pageOf([many]),
      'user.self': () => ({ id: 2, username: 'ada', role: 10, has_password: true }),
    })
    const user = renderConsole(gateway, '/channels')
    await user.click(await screen.findByRole('button', { name: 'More actions for Many' }))
    await screen.findByRole('menuitem', { name: 'Keys…' })
    expect(screen.queryByRole('menuitem', { name: 'Show key' })).toBeNull()
  })
})
