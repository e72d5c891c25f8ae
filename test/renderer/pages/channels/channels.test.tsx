import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

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

const stored = {
  id: 7,
  type: 1,
  key: '',
  key_preview: 'sk-…9f2c',
  key_unreadable: false,
  key_locked: false,
  name: 'Work',
  status: 1,
  models: 'gpt-mini,gpt-large',
  group: 'default',
  base_url: 'https://api.openai.com/v1',
  weight: 0,
  priority: 0,
  test_time: 0,
  response_time: 0,
  model_mapping: '{"fast":"gpt-mini"}',
  settings: '{"other":1}',
  other: '',
  status_code_mapping: '',
  auto_ban: 1,
  preset: 'openai',
  tag: null,
  other_info: '',
  balance: 0,
  balance_updated_time: 0,
  key_count: 1,
  channel_info: { is_multi_key: false, multi_key_size: 0, multi_key_mode: 'random' },
}

const list = (items: unknown[]) => ({ page: 1, page_size: 50, total: items.length, items })

describe('adding a channel', () => {
  test('a refused save keeps what was typed and says why beside the field', async () => {
    const gateway = createFakeGateway({
      'channel.presets': () => [preset],
      'channel.create': () => refuse('This key has blanks in it.', 'channel.key'),
    })
    const user = renderConsole(gateway, '/channels?new=1')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    const key = await screen.findByLabelText('Channel key')
    await user.type(key, 'sk-typed')
    const drawer = screen.getByRole('dialog')
    await user.click(within(drawer).getByRole('button', { name: 'Add channel' }))

    await waitFor(() => expect(key.getAttribute('aria-invalid')).toBe('true'))
    expect(key).toHaveProperty('value', 'sk-typed')
    const described = key.getAttribute('aria-describedby') ?? ''
    const words = described.split(' ').map((id) => document.getElementById(id)?.textContent)
    expect(words).toContain('This key has blanks in it.')
    expect(document.activeElement).toBe(key)
  })

  test('a base URL that would not work is said while it is typed', async () => {
    const gateway = createFakeGateway({
      'channel.presets': () => [preset],
      'channel.preview-url': () => refuse('"htp" is no http address.', 'base_url'),
    })
    const user = renderConsole(gateway, '/channels?new=1')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    expect(await screen.findByText('"htp" is no http address.')).toBeTruthy()
  })

  test('broken JSON in an override cannot be sent', async () => {
    const gateway = createFakeGateway({ 'channel.presets': () => [preset] })
    const user = renderConsole(gateway, '/channels?new=1')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    await user.click(await screen.findByRole('button', { name: 'Advanced' }))
    await user.type(await screen.findByLabelText('Parameter override'), '[[1]')
    const drawer = screen.getByRole('dialog')
    const add = within(drawer).getByRole('button', { name: 'Add channel' })
    expect(add).toHaveProperty('disabled', true)
    expect(screen.getByText(/Enter a JSON object/)).toBeTruthy()
  })

  test('where an override is broken is told by line and column, in the console’s language', async () => {
    const gateway = createFakeGateway({ 'channel.presets': () => [preset] })
    const user = renderConsole(gateway, '/channels?new=1', undefined, 'zh')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    await user.click(await screen.findByRole('button', { name: '高级' }))
    const field = await screen.findByLabelText('参数覆盖')
    await user.click(field)
    await user.paste('{\n  "a": nul\n}')
    expect(screen.getByText('第 2 行，第 8 列：此处不能是“n”。')).toBeTruthy()
    await user.clear(field)
    await user.paste('{"a": 1')
    expect(screen.getByText('第 1 行，第 8 列：JSON 不完整。')).toBeTruthy()
  })
})

describe('a stored channel', () => {
  test('saving sends only what was changed, and so neither a key nor what others changed', async () => {
    const gateway = createFakeGateway({
      'channel.search': () => list([stored]),
      'channel.get': () => stored,
      'channel.presets': () => [preset],
      'channel.update': () => stored,
    })
    const user = renderConsole(gateway, '/channels?open=7')
    await user.type(await screen.findByLabelText('Name'), ' 2')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(gateway.calls.some(({ name }) => name === 'channel.update')).toBe(true),
    )
    const update = gateway.calls.find(({ name }) => name === 'channel.update')
    // Nothing but the name: what another drawer changed meanwhile stays.
    expect(update?.input).toEqual({ id: 7, name: 'Work 2' })
  })

  test('of Google can be told to cache, and nothing else of its settings changes', async () => {
    const google = { ...stored, type: 24 }
    const gateway = createFakeGateway({
      'channel.search': () => list([google]),
      'channel.get': () => google,
      'channel.presets': () => [preset],
      'channel.update': () => google,
    })
    const user = renderConsole(gateway, '/channels?open=7')
    await user.click(await screen.findByRole('button', { name: 'Advanced' }))
    await user.click(await screen.findByRole('switch', { name: /^Explicit caching/ }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(gateway.calls.find(({ name }) => name === 'channel.update')?.input).toEqual({
        id: 7,
        settings: '{"other":1,"explicit_caching":true}',
      }),
    )
  })

  test('an unreadable key is asked for again', async () => {
    const unreadable = { ...stored, key_unreadable: true }
    const gateway = createFakeGateway({
      'channel.search': () => list([unreadable]),
      'channel.get': () => unreadable,
      'channel.presets': () => [preset],
    })
    renderConsole(gateway, '/channels?open=7')
    expect(await screen.findByText(/stored key can’t be read/)).toBeTruthy()
    expect(screen.getByText('enter key again')).toBeTruthy()
  })

  test('a failed test shows the vendor’s own sentence in the row', async () => {
    const sentence = 'Authentication Fails, Your api key: ****9f2c is invalid'
    const gateway = createFakeGateway({
      'channel.search': () => list([stored]),
      'channel.test': () => refuse(sentence, undefined, 502),
    })
    const user = renderConsole(gateway, '/channels')
    await user.click(await screen.findByRole('button', { name: 'Test channel Work' }))
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  test('deleting names the channel first and does nothing until confirmed', async () => {
    const gateway = createFakeGateway({
      'channel.search': () => list([stored]),
      'channel.delete': () => undefined,
    })
    const user = renderConsole(gateway, '/channels')
    await user.click(await screen.findByRole('button', { name: 'More actions for Work' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    expect(await screen.findByText(/Delete the channel “Work” \(#7\)\?/)).toBeTruthy()
    expect(gateway.calls.some(({ name }) => name === 'channel.delete')).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Delete channel' }))
    await waitFor(() =>
      expect(gateway.calls).toContainEqual({ name: 'channel.delete', input: { id: 7 } }),
    )
  })
})

test('a list that does not come says what is loading and can be cancelled', async () => {
  const gateway = createFakeGateway({ 'channel.search': () => new Promise(() => {}) })
  const user = renderConsole(gateway, '/channels')
  expect(await screen.findByText('Loading channels…')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('button', { name: 'Load again' })).toBeTruthy()
})
