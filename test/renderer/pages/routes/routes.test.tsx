import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { gatewayOf, inputsOf, routeRecord, targetRecord } from './route-records.ts'

const rowOf = async (name: string) =>
  (await screen.findByRole('button', { name: `Copy Name ${name}` })).closest('tr') as HTMLElement

const inMenuOf = async (user: ReturnType<typeof renderConsole>, name: string, item: string) => {
  await user.click(await screen.findByRole('button', { name: `More actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

test('a row says where calls go: in turn, by weight, and to which channel or tag', async () => {
  const targets = [
    targetRecord('sonnet', { channel_id: 7, weight: 3 }),
    targetRecord('opus', { weight: 1 }),
    targetRecord('echo', { tag: 'local' }),
    targetRecord('echo-mini', { weight: 5 }),
  ]
  const rule = { name: 'long', when: { min_input_tokens: 1 }, targets: [targetRecord('opus')] }
  renderConsole(gatewayOf([routeRecord({ targets, rules: [rule] })]), '/routes')
  const row = await rowOf('coding')
  await within(row).findByText('sonnet (Work) 75% / opus 25% → echo (local) → echo-mini')
  expect(within(row).getByText('1')).toBeTruthy()
  expect(row.querySelector('ul')).toBeNull()
})

test('a row warns of targets that are skipped, of a way to nowhere, of lost tokens, and of a hidden model', async () => {
  const none = { channels: 0 }
  const ruleOf = (name: string, tokens: number[], missing: number[]) => ({
    ...{ name, when: { token_ids: tokens }, missing_tokens: missing },
    targets: [targetRecord('opus')],
  })
  const gateway = gatewayOf([
    routeRecord({
      hides_model: true,
      targets: [targetRecord('sonnet'), targetRecord('gone', none), targetRecord('gone', none)],
      rules: [
        { name: 'night', when: { tools: true }, targets: [targetRecord('old', none)] },
        { name: 'day', when: { tools: false }, targets: [targetRecord('opus')] },
        ruleOf('some', [3, 8, 9], [8, 9]),
        ruleOf('one', [3, 9], [9]),
        ruleOf('none', [8, 9], [8, 9]),
      ],
    }),
    routeRecord({ id: 5, name: 'lost', targets: [targetRecord('gone', none)] }),
  ])
  renderConsole(gateway, '/routes')
  const warningsOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(warningsOf(await rowOf('coding'))).toEqual([
    'No target of the rule “night” has an enabled channel: its calls fail.',
    'Skipped, since no enabled channel serves it: gone.',
    'The rule “some” names tokens that no longer exist: #8 and #9.',
    'The rule “one” names a token that no longer exists: #9.',
    'No token of the rule “none” exists any more: the rule never applies.',
    'Hides the model coding: calls for it take this route.',
  ])
  expect(warningsOf(await rowOf('lost'))).toEqual(['No target has an enabled channel: calls fail.'])
})

test('switching a route off sends all the rest of it as it was', async () => {
  const rules = [
    {
      name: 'long',
      when: { min_input_tokens: 9000, clients: ['codex'] },
      targets: [targetRecord('opus', { channel_id: 7 })],
    },
  ]
  const gateway = gatewayOf([routeRecord({ rules })], { 'route.update': () => routeRecord() })
  const user = renderConsole(gateway, '/routes')
  await user.click(await screen.findByRole('switch', { name: 'Route coding is on' }))
  const plain = { channel_id: null, tag: null, weight: 0 }
  expect(inputsOf(gateway, 'route.update')).toEqual([
    {
      ...{ id: 4, name: 'coding', status: 2 },
      targets: [
        { model: 'sonnet', ...plain },
        { model: 'echo', ...plain },
      ],
      rules: [{ ...rules[0], targets: [{ ...plain, model: 'opus', channel_id: 7 }] }],
    },
  ])
})

test('a copy gets a name of its own, also beside an earlier copy', async () => {
  const gateway = gatewayOf([routeRecord(), routeRecord({ id: 5, name: 'coding-copy' })], {
    'route.create': () => routeRecord({ id: 6 }),
  })
  const user = renderConsole(gateway, '/routes')
  await inMenuOf(user, 'coding', 'Duplicate')
  expect(inputsOf(gateway, 'route.create')).toMatchObject([{ name: 'coding-copy-2', status: 1 }])
})

test('the menu enables what is off, and tells at the row why it could not', async () => {
  const gateway = gatewayOf([routeRecord({ status: 2 })], {
    'route.update': () => refuse('There is no channel 7.', 'targets[0].channel_id', 400),
  })
  const user = renderConsole(gateway, '/routes')
  await inMenuOf(user, 'coding', 'Enable')
  expect(inputsOf(gateway, 'route.update')).toMatchObject([{ id: 4, status: 1 }])
  expect((await screen.findByRole('alert')).textContent).toContain('There is no channel 7.')
})

test('a change that fails half-way shows what there is then, and one that is refused reads nothing anew', async () => {
  const gateway = gatewayOf([routeRecord()])
  const user = renderConsole(gateway, '/routes')
  const reads = () => inputsOf(gateway, 'route.list').length
  await rowOf('coding')
  const before = reads()
  gateway.answer('route.update', () =>
    refuse('There is no channel 7.', 'targets[0].channel_id', 400),
  )
  await inMenuOf(user, 'coding', 'Disable')
  await screen.findByRole('alert')
  expect(reads()).toBe(before)
  gateway.answer('route.list', () => [routeRecord({ name: 'renamed' })])
  gateway.answer('route.update', () => refuse('The disk is full.', undefined, 500))
  await inMenuOf(user, 'coding', 'Disable')
  await rowOf('renamed')
})

test('deleting names the route first', async () => {
  const gateway = gatewayOf([routeRecord()], { 'route.delete': () => undefined })
  const user = renderConsole(gateway, '/routes')
  await inMenuOf(user, 'coding', 'Delete')
  const dialog = await screen.findByRole('dialog', { name: 'Delete route' })
  expect(within(dialog).getByText(/Delete the route “coding” \(#4\)\?/)).toBeTruthy()
  gateway.answer('route.list', () => [])
  await user.click(within(dialog).getByRole('button', { name: 'Delete route' }))
  expect(await screen.findByText('No routes yet')).toBeTruthy()
  expect(inputsOf(gateway, 'route.delete')).toEqual([{ id: 4 }])
})

test('a deletion that was refused is not held against the next try', async () => {
  const gateway = gatewayOf([routeRecord()], { 'route.delete': () => refuse('The disk is full.') })
  const user = renderConsole(gateway, '/routes')
  await inMenuOf(user, 'coding', 'Delete')
  const dialog = await screen.findByRole('dialog', { name: 'Delete route' })
  await user.click(within(dialog).getByRole('button', { name: 'Delete route' }))
  await within(dialog).findByText('The disk is full.')
  await user.click(within(dialog).getByRole('button', { name: 'Keep it' }))
  await inMenuOf(user, 'coding', 'Delete')
  const again = await screen.findByRole('dialog', { name: 'Delete route' })
  expect(within(again).queryByText('The disk is full.')).toBeNull()
})

test('few routes have no filter', async () => {
  const few = gatewayOf([routeRecord()])
  renderConsole(few, '/routes')
  await rowOf('coding')
  expect(screen.queryByLabelText('Name or model')).toBeNull()
})

test('ten routes are found by name or by a model of a rule', async () => {
  const rule = { name: 'r', when: { tools: true }, targets: [targetRecord('Opus-5')] }
  const routes = Array.from({ length: 10 }, (_, index) =>
    routeRecord({ id: index + 1, name: `route-${index}`, rules: index === 3 ? [rule] : [] }),
  )
  const user = renderConsole(gatewayOf(routes), '/routes')
  const field = await screen.findByLabelText('Name or model')
  await user.type(field, 'opus')
  await waitFor(() => expect(screen.queryByText('route-2')).toBeNull())
  expect(screen.getByText('route-3')).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'nothing')
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await screen.findByText('route-2')
})

test('an empty page says what a route is for and leads to the form', async () => {
  const user = renderConsole(gatewayOf([]), '/routes')
  expect(await screen.findByText(/fails over from one model to the next/)).toBeTruthy()
  await user.click(screen.getAllByRole('button', { name: 'Create route' })[1] as HTMLElement)
  await screen.findByRole('dialog', { name: 'Create route' })
})

test('only administrators have the page in the navigation', async () => {
  renderConsole(gatewayOf([], { 'user.self': () => ({ id: 3, username: 'bob', role: 1 }) }))
  await screen.findAllByRole('link', { name: 'Calls' })
  expect(screen.queryByRole('link', { name: 'Routes' })).toBeNull()
})
