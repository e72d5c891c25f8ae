import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { tokenRecord } from '../tokens/token-records.ts'
import { cardOf, diff, gatewayOf, inputs, path, previewOf } from './connect-gateway.ts'
import { connectedView, machineView, toolView } from './tool-views.ts'

const sentence = (message: string) => ({ message, reason: { code: 'zed_paste' } })

test('found tools come first, each with its status in words; the others are folded', async () => {
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
  const user = renderConsole(gatewayOf(tools), '/connect')
  const found = await screen.findByRole('region', { name: 'Found on this machine' })
  expect(within(found).getAllByRole('heading').length).toBe(5)
  const claude = await cardOf('Claude Code')
  expect(within(claude).getByText('Points elsewhere')).toBeTruthy()
  expect(within(claude).getByText('https://proxy.example')).toBeTruthy()
  expect(within(await cardOf('Codex')).getByText('Not connected')).toBeTruthy()
  expect(within(await cardOf('Gemini CLI')).getByText('Changed')).toBeTruthy()
  const crush = await cardOf('Crush')
  expect(within(crush).getByText('Invalid file')).toBeTruthy()
  expect(within(crush).getByText(/line 3, column 7/)).toBeTruthy()
  expect(within(crush).queryByRole('button', { name: /^Connect/ })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Goose' })).toBeNull()
  await user.click(screen.getByRole('button', { name: '2 other tools' }))
  const others = screen.getByRole('region', { name: '2 other tools' })
  expect(within(others).getByText('Not found')).toBeTruthy()
  const cursor = await cardOf('Cursor')
  expect(within(cursor).getByText('Manual setup')).toBeTruthy()
  expect(within(cursor).getByRole('button', { name: 'Show steps for Cursor' })).toBeTruthy()
})

test('a file that may not be read is not called invalid', async () => {
  const problem_reason = {
    code: 'tool_file_unreadable',
    ...{ path: '/home/ada/.claude/settings.json', why: { code: 'file_no_permission' } },
  }
  const tool = toolView({ status: 'broken', problem: 'It can’t be read.', problem_reason })
  renderConsole(gatewayOf([tool]), '/connect')
  const card = await cardOf('Claude Code')
  expect(within(card).getByText('Unreadable file')).toBeTruthy()
  expect(within(card).queryByText('Invalid file')).toBeNull()
})

test('where none was found, all of them are shown', async () => {
  renderConsole(gatewayOf([toolView({ installed: false, status: 'not_found' })]), '/connect')
  const others = await screen.findByRole('region', { name: 'Other tools' })
  expect(within(others).getByRole('heading', { name: 'Claude Code' })).toBeTruthy()
})

test('steps that are left after Apply are shown with the key, until the first call', async () => {
  let tool = connectedView({
    ...{
      id: 'zed',
      name: 'Zed',
      steps: [sentence('Run `agent: open settings`.'), sentence('Paste `<token>`')],
    },
  })
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, machine: machineView(), tools: [tool] }),
    'token.reveal': () => ({ key: 'sk-whole' }),
  })
  const user = renderConsole(gateway, '/connect')
  const card = await cardOf('Zed')
  expect(within(card).getByText('Manual steps')).toBeTruthy()
  expect(within(card).getAllByRole('listitem').length).toBe(2)
  await user.click(within(card).getByRole('button', { name: 'Show the key for Zed' }))
  expect(await within(card).findByRole('button', { name: 'Copy text sk-whole' })).toBeTruthy()
  expect(inputs(gateway, 'token.reveal')).toEqual([{ id: 7 }])
  tool = connectedView({ ...tool, last_call_at: 1_900_000_005 })
  await waitFor(() => expect(screen.queryByText('Manual steps')).toBeNull())
})

test('a tool with a command says how to make its first call with it', async () => {
  const tool = connectedView({ first_call: 'claude -p "Say hi"' })
  renderConsole(gatewayOf([tool]), '/connect')
  const card = await cardOf('Claude Code')
  expect(within(card).getByText('claude -p "Say hi"')).toBeTruthy()
})

test('steps of a tool that is set up by hand take the chosen token and model', async () => {
  const cursor = toolView({
    ...{ id: 'cursor', name: 'Cursor', kind: 'instruction', snippets: [] },
    steps: [sentence('Paste `<token>`'), sentence('Add `<model>`')],
  })
  const gateway = gatewayOf([cursor], { 'token.reveal': () => ({ key: 'sk-whole' }) })
  const user = renderConsole(gateway, '/connect?tool=cursor')
  const drawer = await screen.findByRole('dialog', { name: 'Connect Cursor' })
  const steps = await within(drawer).findByRole('region', { name: 'Steps' })
  expect(steps.textContent).toBe('Paste <token>Add <model>')
  expect(within(drawer).queryByRole('tablist')).toBeNull()
  await user.click(within(drawer).getByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await user.click(within(drawer).getByLabelText('Model', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'sonnet' }))
  await waitFor(() => expect(steps.textContent).toBe('Paste sk-wholeAdd sonnet'))
})

test('the exact change is shown before anything is written, and that one is applied', async () => {
  let tool = toolView()
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, machine: machineView(), tools: [tool] }),
    'connect.preview': () =>
      previewOf({ warnings: [sentence('ANTHROPIC_API_KEY is set in your shell.')] }),
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
    'connect.tools': () => ({ local: true, machine: machineView(), tools: [tool] }),
    'connect.undo': () => {
      tool = toolView()
      return { tool, files: [{ path, restored: 'keys' }], token: null }
    },
  })
  const user = renderConsole(gateway, '/connect')
  expect(await screen.findByText(/^Last call/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo Claude Code' }))
  expect(await screen.findByText(/only Switchyard’s keys were removed/)).toBeTruthy()
  expect(await screen.findByText('Not connected')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo Claude Code' })).toBeNull()
})

test('Disconnect all names the tools first, then says which of them failed', async () => {
  const other = connectedView({ id: 'codex', name: 'Codex' })
  const gateway = gatewayOf([connectedView(), other], {
    'connect.undo-all': () => ({
      undone: ['claude-code'],
      failed: [{ tool: 'codex', problem: 'config.toml can’t be written.' }],
      tokens: [{ id: 7, name: 'Claude Code', kept: 'calls' }],
      other_gateways: [],
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
    'connect.tools': () => ({ local: false, machine: machineView(), tools: [connectedView()] }),
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

test('text to paste has no key of a token that is not chosen any more', async () => {
  const items = [tokenRecord(), tokenRecord({ id: 4, name: 'phone' })]
  const message = 'The key of this token can’t be read.'
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: false, machine: machineView(), tools: [connectedView()] }),
    'token.list': () => ({ page: 1, page_size: 100, total: 2, items }),
    'token.reveal': ({ id }: { id: number }) => (id === 3 ? { key: 'sk-whole' } : refuse(message)),
  })
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  const text = () => screen.getByLabelText('Claude Code: bash').textContent
  const choose = async (name: string) => {
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }))
    await user.click(await screen.findByRole('option', { name }))
  }
  await choose('laptop (#3)')
  await waitFor(() => expect(text()).toContain('"sk-whole"'))
  await choose('phone (#4)')
  expect(await screen.findByText(message)).toBeTruthy()
  expect(text()).toContain('<token>')
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

test('a first call that failed is told with its reason, and the next is waited for', async () => {
  const failed_call = {
    ...{ request_id: 'r1', at: 1_900_000_003, code: 'upstream_error' },
    message: 'Vendor says: your credit is used up.',
  }
  renderConsole(gatewayOf([connectedView({ failed_call })]), '/connect')
  const card = await cardOf('Claude Code')
  expect(within(card).getByText(/^Its call at .* failed$/)).toBeTruthy()
  expect(within(card).getByText(/your credit is used up\./)).toBeTruthy()
  expect(within(card).getByText('Waiting for a call that succeeds…')).toBeTruthy()
})

test('models that a token may not use can’t be applied; those that it gets are named', async () => {
  const offer = { adds: ['sonnet'], refuses: [] as string[] }
  const aliases = { 'claude-via-sonnet': 'sonnet' }
  const gateway = gatewayOf([toolView()], {
    'connect.preview': ({ token_id: id }: { token_id: number | null }) =>
      previewOf({
        token: {
          ...{ id, name: 'laptop', aliases },
          ...(id === null ? offer : { adds: [], refuses: ['sonnet'] }),
        },
      }),
  })
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  expect(await screen.findByText('After Apply the token may use sonnet too.')).toBeTruthy()
  expect(screen.getByText(/calls sonnet as claude-via-sonnet/)).toBeTruthy()
  const apply = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' })
  expect(apply().disabled).toBe(false)
  await user.click(screen.getByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await waitFor(() => expect(apply().disabled).toBe(true))
  await waitFor(() => expect(screen.queryByText(/After Apply/)).toBeNull())
  expect(apply().disabled).toBe(true)
})

test('over another host the text to paste has the address of the page', async () => {
  const tool = toolView({
    ...{ id: 'cursor', name: 'Cursor', kind: 'instruction' },
    steps: [sentence('Enter `<address>/v1`')],
    snippets: [{ shell: 'file', path: '~/.claude/settings.json', text: 'url = "<address>"' }],
  })
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: false, machine: machineView(), tools: [tool] }),
  })
  renderConsole(gateway, '/connect?tool=cursor')
  const drawer = await screen.findByRole('dialog', { name: 'Connect Cursor' })
  const steps = await within(drawer).findByRole('region', { name: 'Steps' })
  expect(steps.textContent).toContain(`Enter ${window.location.origin}/v1`)
  expect((await screen.findByLabelText('Cursor: File')).textContent).toBe(
    `url = "${window.location.origin}"`,
  )
})
