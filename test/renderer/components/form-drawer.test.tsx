// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const owner = { id: 1, username: 'owner', role: 100, has_password: true }
const preset = {
  ...{ id: 'openai', type: 1, name: 'OpenAI', base_url: 'https://api.openai.com', models: [] },
  ...{ needs_key: true, key_url: null, note: null, group: 'vendor' },
}

/** Opens a drawer, and types into the field of that label. */
async function openDrawer(path: string, label: string, typed: string) {
  const gateway = createFakeGateway({
    'user.self': () => owner,
    'user.search': () => ({ page: 1, page_size: 50, total: 0, items: [] }),
    'redemption.search': () => ({ page: 1, page_size: 50, total: 0, items: [] }),
    'channel.presets': () => [preset],
  })
  const user = renderConsole(gateway, path)
  const drawer = await screen.findByRole('dialog')
  if (path.startsWith('/channels')) {
    await user.click(await within(drawer).findByRole('button', { name: /OpenAI/ }))
  }
  const field = await within(drawer).findByLabelText(label)
  await user.type(field, typed)
  return { user, field }
}

const overlay = () => document.querySelector('.mantine-Drawer-overlay') as HTMLElement
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const question = () => screen.findByRole('dialog', { name: 'Discard your edits?' })

const drawers = [
  ['/connect/tokens?new=1', 'Name'],
  ['/users?new=1', 'User name'],
  ['/codes?new=1', 'Label'],
  ['/channels?new=1', 'Channel key'],
] as const

describe.each(drawers)('the drawer at %s', (path, label) => {
  test('asks before Esc throws away what was typed', async () => {
    const { user, field } = await openDrawer(path, label, 'ab')
    await user.keyboard('{Escape}')
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull())
    expect(field).toHaveProperty('value', 'ab')
  })
})

test('a click outside closes an empty drawer, and asks about a filled one', async () => {
  const { user, field } = await openDrawer('/connect/tokens?new=1', 'Name', 'ab')
  await user.click(overlay())
  const asked = await question()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(asked.isConnected).toBe(false))
  expect(field).toHaveProperty('value', 'ab')
  await user.click(overlay())
  await user.click(within(await question()).getByRole('button', { name: 'Discard' }))
  await isClosed()
  await user.click(screen.getAllByRole('button', { name: 'Create token' })[0] as HTMLElement)
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', '')
  await user.keyboard('{Escape}')
  await isClosed()
})

test('Back asks before it closes a filled drawer', async () => {
  const { user, field } = await openDrawer('/connect/tokens?new=1', 'Name', 'ab')
  window.history.replaceState(null, '', '/console/connect/tokens')
  window.dispatchEvent(new PopStateEvent('popstate'))
  const asked = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  expect(window.location.search).toBe('?new=1')
  await user.click(within(asked).getByRole('button', { name: 'Stay' }))
  expect(field).toHaveProperty('value', 'ab')
})
