import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderConsole } from '../../render-console.tsx'
import { cardOf, gatewayOf, inputs, path } from './connect-gateway.ts'
import { connectedView, machineView, toolView } from './tool-views.ts'

test('after a change of port, one click gives one tool or all of them the new address', async () => {
  const old = { status: 'changed', old_address: 'http://127.0.0.1:4747' }
  let tools = [
    connectedView(old),
    connectedView({ id: 'codex', name: 'Codex', ...old }),
    connectedView({ id: 'gemini', name: 'Gemini CLI' }),
  ]
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, machine: machineView(), tools }),
    'connect.update-address': (input) => {
      const { tool } = input as { tool: string | null }
      if (tool !== null) tools = tools.map((one) => (one.id === tool ? connectedView() : one))
      return tool === null
        ? { updated: [], failed: [{ tool: 'codex', problem: 'config.toml is read-only.' }] }
        : { updated: [tool], failed: [] }
    },
  })
  const user = renderConsole(gateway, '/connect')
  const claude = await cardOf('Claude Code')
  expect(within(claude).getByText('Old address')).toBeTruthy()
  expect(within(claude).getByText('127.0.0.1:4747')).toBeTruthy()
  expect(screen.getByText(/^Still at the old one: Claude Code, Codex\./)).toBeTruthy()
  const name = 'Use the new address for Claude Code'
  await user.click(within(claude).getByRole('button', { name }))
  expect(await screen.findByText(/^Still at the old one: Codex\./)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use the new address for all' }))
  expect(await screen.findByText(/config\.toml is read-only/)).toBeTruthy()
  expect(inputs(gateway, 'connect.update-address')).toEqual([
    { tool: 'claude-code' },
    { tool: null },
  ])
})

test('another Switchyard is named, and Undo asks whether to go back to it', async () => {
  const other = 'http://127.0.0.1:4748'
  let tool = connectedView({ other_gateway_before: other })
  const codex = toolView({
    ...{ id: 'codex', name: 'Codex' },
    points_to: other,
    other_gateway: other,
  })
  const gateway = gatewayOf([], {
    'connect.tools': () => ({ local: true, machine: machineView(), tools: [tool, codex] }),
    'connect.undo': () => {
      tool = toolView({ points_to: other, other_gateway: other })
      const token = { id: 7, name: 'Claude Code', kept: null }
      return { tool, files: [{ path, restored: 'whole' }], token }
    },
  })
  const user = renderConsole(gateway, '/connect')
  expect(within(await cardOf('Codex')).getByText('Another Switchyard')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Undo Claude Code' }))
  const dialog = await screen.findByRole('dialog', { name: 'Undo Claude Code' })
  expect(within(dialog).getByText(/pointed to another Switchyard, at http/)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'The other Switchyard' }))
  expect(await screen.findByText(`Points to another Switchyard again, at ${other}.`)).toBeTruthy()
  expect(screen.getByText('Its token “Claude Code” was deleted.')).toBeTruthy()
  expect(inputs(gateway, 'connect.undo')).toEqual([{ tool: 'claude-code', to: 'before' }])
})

test.each([
  [{ kind: 'wsl' }, 'The gateway runs in WSL'],
  [{ kind: 'container' }, 'The gateway runs in a container'],
  [{ home_problem: 'missing' }, 'No tool can be connected'],
  [{ home_problem: 'foreign', home: 'C:\\Users\\ada' }, 'No tool can be connected'],
])('%o: the page says which tools it can see', async (fields, title) => {
  const machine = machineView(fields)
  renderConsole(
    gatewayOf([], { 'connect.tools': () => ({ local: true, machine, tools: [toolView()] }) }),
    '/connect',
  )
  const note = await screen.findByRole('note', { name: title })
  expect(note.textContent).toContain(machine.home)
})
