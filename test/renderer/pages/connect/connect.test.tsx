// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { tokenRecord } from '../tokens/token-records.ts'
import { connectedView, toolView } from './tool-views.ts'

const path = '/home/ada/.claude/settings.json'
const models = [
  { id: 'sonnet', display_name: 'Sonnet', tools: true, context: 200_000, fits: true },
  { id: 'tiny', display_name: 'Tiny', tools: false, context: 4096, fits: false },
]
const diff = [
  `--- ${path}`,
  `+++ ${path}`,
  '@@ -1,3 +1,3 @@',
  ' {',
  '-  "model": "opus"',
  '+  "model": "sonnet"',
  ' }',
  '\\ No newline at end of file',
].join('\n')
const previewOf = (fields: object = {}) => ({
  files: [{ path, before: '{}', after: '{}', diff }],
  warnings: [],
  token: { id: null, name: 'Claude Code' },
  digest: 'of-this-preview',
  ...fields,
})
const tokens = { page: 1, page_size: 100, total: 1, items: [tokenRecord()] }

const gatewayOf = (tools: unknown[], answers: Parameters<typeof createFakeGateway>[0] = {}) =>
  createFakeGateway({
    'connect.tools': () => ({ local: true, tools }),
    'connect.models': () => ({ models }),
    'connect.preview': () => previewOf(),
    'token.list': () => tokens,
    ...answers,
  })

const inputs = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map((call) => call.input)

const cardOf = async (name: string) =>
  (await screen.findByRole('heading', { level: 3, name })).closest('li') as HTMLElement

test('tools are grouped by whether they were found, each with its status in words', async () => {
  const tools = [
    toolView({ points_to: 'https://proxy.example' }),
    toolView({ id: 'codex', name: 'Codex' }),
    toolView({ id: 'gemini', name: 'Gemini CLI', status: 'changed', can_undo: true }),
    toolView({
      ...{ id: 'crush', name: 'Crush', status: 'broken' },
      problem: 'crush.json isn’t valid JSON: line 3, column 7.',
    }),
    toolView({ id: 'goose', name: 'Goose', installed: false, status: 'not_found' }),
    toolView({ id: 'cursor', name: 'Cursor', kind: 'instruction', installed: false }),
  ]
  renderConsole(gatewayOf(tools), '/connect')
  const found = await screen.findByRole('region', { name: 'Found on this machine' })
  expect(within(found).getAllByRole('heading').length).toBe(5)
  const claude = await cardOf('Claude Code')
  expect(within(claude).getByText('Points elsewhere')).toBeTruthy()
  expect(within(claude).getByText('https://proxy.example')).toBeTruthy()
  expect(within(await cardOf('Codex')).getByText('Not connected')).toBeTruthy()
  expect(within(await cardOf('Gemini CLI')).getByText('Changed since')).toBeTruthy()
  const crush = await cardOf('Crush')
  expect(within(crush).getByText('File broken')).toBeTruthy()
  expect(within(crush).getByText(/line 3, column 7/)).toBeTruthy()
  expect(within(crush).queryByRole('button', { name: /^Connect/ })).toBeNull()
  const missing = screen.getByRole('region', { name: 'Not found' })
  expect(within(missing).getByRole('heading', { name: 'Goose' })).toBeTruthy()
  const byHand = screen.getByRole('region', { name: 'Set up by hand' })
  expect(within(byHand).getByRole('heading', { name: 'Cursor' })).toBeTruthy()
})

test('the exact change is shown before anything is written, and that one is applied', async () => {
  let tool = toolView()
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, tools: [tool] }),
    'connect.preview': () => previewOf({ warnings: ['ANTHROPIC_API_KEY is set in your shell.'] }),
    'connect.apply': () => {
      tool = connectedView()
      return tool
    },
  })
  const user = renderConsole(gateway, '/connect')
  await user.click(await screen.findByRole('button', { name: 'Connect Claude Code…' }))
  const drawer = await screen.findByRole('dialog', { name: 'Connect Claude Code' })
  const change = await within(drawer).findByRole('region', { name: `Changes of ${path}` })
  expect(change.querySelector('ins')?.textContent).toBe('  "model": "sonnet"')
  expect(change.querySelector('del')?.textContent).toBe('  "model": "opus"')
  expect(change.textContent).not.toContain('No newline')
  expect(within(drawer).getByText('ANTHROPIC_API_KEY is set in your shell.')).toBeTruthy()
  expect(inputs(gateway, 'connect.apply')).toEqual([])
  await user.click(within(drawer).getByRole('button', { name: 'Apply' }))
  expect(await within(drawer).findByText('Waiting for its first call…')).toBeTruthy()
  expect(inputs(gateway, 'connect.apply')).toEqual([
    {
      ...{ tool: 'claude-code', token_id: null, digest: 'of-this-preview' },
      models: { main: 'sonnet' },
    },
  ])
  tool = connectedView({ last_call_at: 1_900_000_005 })
  expect(await within(drawer).findByText(/^First call at/)).toBeTruthy()
  expect(within(drawer).queryByText('Waiting for its first call…')).toBeNull()
})

test('another token and model change the preview; those that don’t fit come last', async () => {
  const gateway = gatewayOf([toolView()])
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  await user.click(await screen.findByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await user.click(screen.getByLabelText('Small model', { selector: 'input' }))
  const offered = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(offered).toEqual(['sonnet200,000 context', 'tinyno tool calls, 4,096 context'])
  await user.click(screen.getByRole('option', { name: /^tiny/ }))
  await waitFor(() =>
    expect(inputs(gateway, 'connect.preview').at(-1)).toEqual({
      ...{ tool: 'claude-code', token_id: 3 },
      models: { main: 'sonnet', small: 'tiny' },
    }),
  )
})

test('a file that changed meanwhile is not written; its new diff is shown', async () => {
  let changes = diff
  const gateway = gatewayOf([toolView()], {
    'connect.preview': () =>
      previewOf({ files: [{ path, before: '{}', after: '{}', diff: changes }] }),
    'connect.apply': () => {
      changes = diff.replace('opus', 'fable')
      return refuse('settings.json has changed since the preview.', undefined, 409)
    },
  })
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  await user.click(await screen.findByRole('button', { name: 'Apply' }))
  expect(await screen.findByText('settings.json has changed since the preview.')).toBeTruthy()
  expect(await screen.findByText('  "model": "fable"', { normalizer: (text) => text })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Apply' })).toBeTruthy()
})

test('Undo says of each file how it was restored', async () => {
  let tool = connectedView({ last_call_at: 1_900_000_100 })
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, tools: [tool] }),
    'connect.undo': () => {
      tool = toolView()
      return { tool, files: [{ path, restored: 'keys' }] }
    },
  })
  const user = renderConsole(gateway, '/connect')
  expect(await screen.findByText(/^Last call/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo Claude Code' }))
  expect(await screen.findByText(/only Switchyard’s keys were taken back/)).toBeTruthy()
  expect(await screen.findByText('Not connected')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo Claude Code' })).toBeNull()
})

test('Disconnect all names the tools first, then says which of them failed', async () => {
  const other = connectedView({ id: 'codex', name: 'Codex' })
  const gateway = gatewayOf([connectedView(), other], {
    'connect.undo-all': () => ({
      undone: ['claude-code'],
      failed: [{ tool: 'codex', problem: 'config.toml can’t be written.' }],
    }),
  })
  const user = renderConsole(gateway, '/connect')
  await user.click(await screen.findByRole('button', { name: 'Disconnect all' }))
  const question = await screen.findByRole('dialog')
  expect(within(question).getByText(/^Undo Claude Code, Codex\?/)).toBeTruthy()
  await user.click(within(question).getByRole('button', { name: 'Disconnect all' }))
  expect(await screen.findByText('Undone: Claude Code.')).toBeTruthy()
  expect(screen.getByText(/config\.toml can’t be written\./)).toBeTruthy()
})

test('from another machine there is text to paste, and no button that writes', async () => {
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: false, tools: [connectedView()] }),
    'token.reveal': () => ({ key: 'sk-whole' }),
  })
  const user = renderConsole(gateway, '/connect')
  expect(await screen.findByText(/opened from another machine or through a proxy/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Undo|Disconnect|Connect .*…|Change/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show text to paste for Claude Code' }))
  expect((await screen.findByLabelText('Claude Code: bash')).textContent).toContain('<token>')
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull()
  await user.click(screen.getByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Claude Code: bash').textContent).toContain('"sk-whole"'),
  )
  await user.click(screen.getByRole('tab', { name: 'PowerShell' }))
  expect((await screen.findByLabelText('Claude Code: PowerShell')).textContent).toBe(
    '$env:ANTHROPIC_AUTH_TOKEN = "sk-whole"',
  )
})

test('without a model there is nothing to connect to, and a way to a channel', async () => {
  const gateway = gatewayOf([toolView()], { 'connect.models': () => ({ models: [] }) })
  renderConsole(gateway, '/connect?tool=claude-code')
  expect(await screen.findByText('No models yet')).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Add a channel' })
  expect(link.getAttribute('href')).toBe('/console/channels?new=1')
})

test('the old path of the tokens leads here, with the token it was to open', async () => {
  const gateway = gatewayOf(
    [connectedView({ token: { id: 3, name: 'laptop' }, last_call_at: 5 })],
    {
      'token.get': () => tokenRecord(),
    },
  )
  renderConsole(gateway, '/tokens?open=3')
  expect(await screen.findByRole('dialog', { name: 'Edit laptop' })).toBeTruthy()
  expect(window.location.pathname).toBe('/console/connect/tokens')
  expect(await screen.findByText('by Claude Code')).toBeTruthy()
})

test('users who aren’t the owner have their tokens here, and no tools', async () => {
  const gateway = gatewayOf([toolView()], {
    'user.self': () => ({ id: 2, username: 'ada', role: 1, has_password: true }),
  })
  renderConsole(gateway, '/connect')
  expect(await screen.findByText('laptop')).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Tools' })).toBeNull()
  expect(inputs(gateway, 'connect.tools')).toEqual([])
})
