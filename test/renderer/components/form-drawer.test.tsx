import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, shared } from '../fake-client.ts'
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

test.each([
  ['a path', 'Database', 'Path', 'transfer.json'],
  ['an address', 'new-api', 'Address', 'https://g.example.com'],
  ['pasted text', 'File', 'File contents', 'KEY=1'],
])(
  '%s typed for an import is asked for before the page is left, and another source keeps it',
  async (_what, source, label, typed) => {
    const gateway = createFakeGateway({
      ...shared,
      'user.self': () => owner,
      'backup.list': () => ({ folder: '/data', key: 'file', restore: '', backups: [] }),
      'transfer.found': () => ({ found: [] }),
      'transfer.last': () => null,
    })
    const user = renderConsole(gateway, '/settings/transfer')
    const choose = (name: string) =>
      user.click(screen.getByRole('radio', { name: new RegExp(`^${name}`) }))
    const field = () =>
      screen.getByLabelText(new RegExp(`^${label}`), { selector: 'input, textarea' })
    await screen.findByLabelText('File contents')
    expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false)
    await choose(source)
    await user.type(field(), typed)
    await choose(source === 'File' ? 'new-api' : 'File')
    await user.click(screen.getByRole('link', { name: 'Calls' }))
    await user.click(await screen.findByRole('button', { name: 'Stay' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await choose(source)
    expect(field()).toHaveProperty('value', typed)
  },
)

test.each([
  ['/settings/security', 'New password'],
  ['/settings', 'Show client addresses'],
  ['/groups', 'Description: default'],
])('the form at %s asks before its page is left', async (path, label) => {
  const groups = { GroupRatio: '{"default":1}', UserUsableGroups: '{"default":"d"}' }
  const gateway = createFakeGateway({
    ...shared,
    'user.self': () => ({ ...owner, setting: '{}' }),
    'option.list': () => Object.entries(groups).map(([key, value]) => ({ key, value })),
  })
  const user = renderConsole(gateway, path)
  const field = await screen.findByLabelText(label)
  const leave = () => user.click(screen.getByRole('link', { name: 'Calls' }))
  const isLeaving = () => screen.queryByRole('dialog', { name: 'Leave without saving?' })
  await user.type(field, 'x')
  await leave()
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(isLeaving()).toBeNull())
  expect(window.location.pathname).toBe(`/console${path}`)
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(true)
  await leave()
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(window.location.pathname).toBe('/console/calls'))
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false)
})

test('the desktop, which asks itself, closes a window with edits: the page doesn’t hold it up', async () => {
  const user = renderConsole({ ...createFakeGateway(), transport: 'ipc' }, '/settings/security')
  await user.type(await screen.findByLabelText('New password'), 'x')
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(true)
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('a page that the desktop opens asks before it takes the place of edits', async () => {
  const user = renderConsole(createFakeGateway(), '/settings/security')
  const field = await screen.findByLabelText('New password')
  const opens = () =>
    window.dispatchEvent(
      new CustomEvent('console-open', { detail: '/console/calls', cancelable: true }),
    )
  await user.type(field, 'x')
  expect(opens()).toBe(false)
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(window.location.pathname).toBe('/console/settings/security')
  await user.clear(field)
  opens()
  await waitFor(() => expect(window.location.pathname).toBe('/console/calls'))
})

test('another record from the search asks before it takes the place of a filled drawer', async () => {
  const { user, field } = await openDrawer('/connect/tokens?new=1', 'Name', 'ab')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'tokens{Enter}')
  expect(window.location.search).toBe('?new=1')
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(field).toHaveProperty('value', 'ab')
})

const drawers = [
  ['/connect/tokens?new=1', 'Name'],
  ['/users?new=1', 'User name'],
  ['/codes?new=1', 'Label'],
  ['/routes?new=1', 'Name'],
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
