import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Reason } from '../../../../preload/contract.ts'
import { liveClient } from '../../../support/gateway/live-client.ts'
import { startPair } from '../../../support/gateway/pair.ts'
import { refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { gatewayOf, inputsOf, routeRecord, targetRecord } from './route-records.ts'

type User = ReturnType<typeof renderConsole>

const drawer = () => screen.findByRole('dialog', { name: /route|coding/ })
const group = (name: string, within_: HTMLElement) =>
  within(within_).getAllByRole('group', { name })[0] as HTMLElement
/** Not the lists of options, which have the labels too. */
const fields = (label: string, form: HTMLElement) =>
  within(form).getAllByLabelText<HTMLInputElement>(label, { selector: 'input' })
const field = (label: string, form: HTMLElement, at = 0) => fields(label, form)[at] as HTMLElement
const modelsIn = (form: HTMLElement) => fields('Model', form).map(({ value }) => value)

async function addCondition(user: User, form: HTMLElement, name: string) {
  await user.click(within(form).getByRole('button', { name: 'Add condition' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

async function choose(user: User, field: HTMLElement, option: string) {
  await user.click(field)
  await user.click(await screen.findByRole('option', { name: option }))
}

test('a route with a rule is created from what the form holds', async () => {
  const gateway = gatewayOf([], { 'route.create': () => routeRecord() })
  const user = renderConsole(gateway, '/routes?new=1')
  const form = await drawer()
  await user.type(field('Name', form), ' coding ')
  await choose(user, field('Channel', form), 'Work')
  // The models of the channel are offered, and any other can be typed.
  await choose(user, field('Model', form), 'sonnet')
  await user.clear(field('Weight', form))
  await user.type(field('Weight', form), '70')
  await user.click(within(form).getByRole('button', { name: 'Add target' }))
  const second = group('Target 2', form)
  await user.type(field('Model', second), 'my-own-model')
  await user.type(field('Tag', second), 'paid')

  await user.click(within(form).getByRole('button', { name: 'Add rule' }))
  const rule = group('Rule 1', form)
  await user.type(field('Rule name', rule), 'long')
  await user.type(field('Model', rule), 'echo')
  await addCondition(user, rule, 'Input tokens, at least')
  const least = field('Input tokens, at least', rule)
  await user.clear(least)
  await user.type(least, '5000')
  await addCondition(user, rule, 'Contains an image')
  await choose(user, field('Contains an image', rule), 'No')
  await addCondition(user, rule, 'Client')
  await user.type(field('Client', rule), 'aider{Enter}')
  await addCondition(user, rule, 'Token')
  await choose(user, field('Token', rule), 'laptop')
  await addCondition(user, rule, 'Has tools')
  await user.click(within(rule).getByRole('button', { name: 'Remove condition: Has tools' }))

  await user.click(within(form).getByRole('button', { name: 'Create route' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const any = { channel_id: null, tag: null, weight: 0 }
  expect(inputsOf(gateway, 'route.create')).toEqual([
    {
      name: 'coding',
      targets: [
        { model: 'sonnet', channel_id: 7, tag: null, weight: 70 },
        { ...any, model: 'my-own-model', tag: 'paid' },
      ],
      rules: [
        {
          name: 'long',
          when: { min_input_tokens: 5000, images: false, clients: ['aider'], token_ids: [3] },
          targets: [{ ...any, model: 'echo' }],
        },
      ],
    },
  ])
})

const twoRules = [
  {
    name: 'first',
    when: { tools: true, min_input_tokens: 10, max_input_tokens: 5 },
    targets: [targetRecord('a'), targetRecord('b')],
  },
  { name: 'second', when: { images: true }, targets: [targetRecord('c')] },
]

test.each<[string, Reason, string, (form: HTMLElement) => HTMLElement]>([
  [
    'name',
    { code: 'field_route_name' },
    'Name cannot contain spaces or commas.',
    (form) => field('Name', form),
  ],
  [
    'targets[1].weight',
    { code: 'field_target_weight' },
    'Weight must be a whole number from 0 to 1,000.',
    (form) => field('Weight', form, 1),
  ],
  [
    'rules[1].name',
    { code: 'field_empty' },
    'Rule name cannot be empty.',
    (form) => field('Rule name', form, 1),
  ],
  [
    'rules[0].targets[1].model',
    { code: 'field_empty' },
    'Model cannot be empty.',
    (form) => field('Model', group('Rule 1', form), 1),
  ],
  [
    'rules[0].when.max_input_tokens',
    { code: 'field_token_range' },
    'Input tokens, at most cannot be less than the least number of tokens.',
    (form) => field('Input tokens, at most', form),
  ],
  [
    'rules[1].when',
    { code: 'field_no_condition' },
    'Conditions: set at least one.',
    (form) => within(form).getAllByRole('list', { name: 'Conditions' })[1] as HTMLElement,
  ],
])(
  'a refused %s is told at its field, which gets the focus',
  async (path, reason, text, refusedIn) => {
    const gateway = gatewayOf([routeRecord({ rules: twoRules })], {
      'route.update': () => refuse('Refused.', path, 400, undefined, reason),
    })
    const user = renderConsole(gateway, '/routes?open=4')
    const form = await drawer()
    await user.click(await within(form).findByRole('button', { name: 'Save' }))
    const message = await within(form).findByText(text)
    const refused = refusedIn(form)
    expect(refused.getAttribute('aria-describedby')).toContain(message.id)
    await waitFor(() => expect(document.activeElement).toBe(refused))
    expect(within(form).queryByText('Refused.')).toBeNull()
  },
)

test('what a gateway refuses stands at its field, one after the other, until the route is there', async () => {
  const pair = await startPair()
  onTestFinished(() => pair.close())
  const user = renderConsole(await liveClient(pair.gateway), '/routes?new=1')
  const form = await drawer()
  await user.click(within(form).getByRole('button', { name: 'Add rule' }))
  const rule = group('Rule 1', form)
  const save = () => user.click(within(form).getByRole('button', { name: 'Create route' }))
  const refused = async (label: string, at: number, text: string) => {
    await save()
    const message = await within(form).findByText(text)
    expect(field(label, form, at).getAttribute('aria-describedby')).toContain(message.id)
  }
  await refused('Name', 0, 'Name cannot be empty.')
  await user.type(field('Name', form), 'live')
  await refused('Model', 0, 'Model cannot be empty.')
  await user.type(field('Model', form), 'echo')
  await refused('Rule name', 0, 'Rule name cannot be empty.')
  await user.type(field('Rule name', form), 'long')
  await save()
  await within(rule).findByText('Conditions: set at least one.')
  await addCondition(user, rule, 'Client')
  await refused('Client', 0, 'Client cannot be empty.')
  await user.type(field('Client', form), 'aider{Enter}')
  await addCondition(user, rule, 'Token')
  await refused('Token', 0, 'Token needs at least 1.')
  await user.click(within(rule).getByRole('button', { name: 'Remove condition: Token' }))
  await addCondition(user, rule, 'Input tokens, at most')
  await user.clear(field('Input tokens, at most', form))
  await refused('Input tokens, at most', 0, 'Input tokens, at most must be a whole number.')
  await user.type(field('Input tokens, at most', form), '500')
  await refused('Model', 1, 'Model cannot be empty.')
  await user.type(field('Model', form, 1), 'echo')
  await save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(pair.gateway.parts.routes.byName('live')).toMatchObject({
    targets: [{ model: 'echo', channelId: null, tag: null, weight: 0 }],
    rules: [{ name: 'long', when: { clients: ['aider'], maxInputTokens: 500 } }],
  })
})

test('a refusal of a row is gone when the rows change places', async () => {
  const gateway = gatewayOf([routeRecord()], {
    'route.update': () => refuse('“echo” is a route.', 'targets[1].model', 400),
  })
  const user = renderConsole(gateway, '/routes?open=4')
  const form = await drawer()
  await user.click(await within(form).findByRole('button', { name: 'Save' }))
  await within(form).findByText('“echo” is a route.')
  await user.click(within(form).getByRole('button', { name: 'Move up: Target 2' }))
  expect(within(form).queryByText('“echo” is a route.')).toBeNull()
})

test('targets move by keyboard, and the focus goes along', async () => {
  const targets = ['a', 'b', 'c'].map((model) => targetRecord(model))
  const gateway = gatewayOf([routeRecord({ targets })], { 'route.update': () => routeRecord() })
  const user = renderConsole(gateway, '/routes?open=4')
  const form = await drawer()
  const up = await within(form).findByRole('button', { name: 'Move up: Target 3' })
  up.focus()
  await user.keyboard('{Enter}')
  expect(modelsIn(form)).toEqual(['a', 'c', 'b'])
  await user.keyboard('{Enter}')
  expect(modelsIn(form)).toEqual(['c', 'a', 'b'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move up: Target 1')
  // At the end it stays, and so does the focus, which a disabled button would lose.
  expect(document.activeElement?.hasAttribute('disabled')).toBe(false)
  await user.keyboard('{Enter}')
  expect(modelsIn(form)).toEqual(['c', 'a', 'b'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move up: Target 1')
  await user.click(within(form).getByRole('button', { name: 'Move down: Target 1' }))
  await user.click(within(form).getByRole('button', { name: 'Remove Target 3' }))
  expect(modelsIn(form)).toEqual(['a', 'c'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move up: Target 2')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(inputsOf(gateway, 'route.update')).toHaveLength(1))
  expect(inputsOf(gateway, 'route.update')).toMatchObject([
    { id: 4, targets: [{ model: 'a' }, { model: 'c' }] },
  ])
})

test('Alt and an arrow move the row that has the focus, and only that', async () => {
  const gateway = gatewayOf([routeRecord({ rules: twoRules })])
  const user = renderConsole(gateway, '/routes?open=4')
  const form = await drawer()
  await within(form).findByDisplayValue('first')
  const names = () => fields('Rule name', form).map(({ value }) => value)
  expect(modelsIn(form)).toEqual(['sonnet', 'echo', 'a', 'b', 'c'])
  field('Model', form, 3).focus()
  await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
  expect(modelsIn(form)).toEqual(['sonnet', 'echo', 'b', 'a', 'c'])
  expect(names()).toEqual(['first', 'second'])
  field('Rule name', form).focus()
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(names()).toEqual(['second', 'first'])
})

test('rules move with all that they hold', async () => {
  const gateway = gatewayOf([routeRecord({ rules: twoRules })], {
    'route.update': () => routeRecord(),
  })
  const user = renderConsole(gateway, '/routes?open=4')
  const form = await drawer()
  await user.click(await within(form).findByRole('button', { name: 'Move down: Rule 1' }))
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(inputsOf(gateway, 'route.update')).toHaveLength(1))
  expect(inputsOf(gateway, 'route.update')).toMatchObject([
    {
      rules: [
        { name: 'second', when: { images: true }, targets: [{ model: 'c' }] },
        { name: 'first', targets: [{ model: 'a' }, { model: 'b' }] },
      ],
    },
  ])
})

test('a route keeps its last target', async () => {
  renderConsole(gatewayOf([routeRecord({ targets: [targetRecord('a')] })]), '/routes?open=4')
  const form = await drawer()
  await within(form).findByDisplayValue('a')
  expect(within(form).queryByRole('button', { name: 'Remove Target 1' })).toBeNull()
})

test('edits are not lost without a question; opening and closing again asks nothing', async () => {
  const gateway = gatewayOf([routeRecord()])
  const user = renderConsole(gateway, '/routes?open=4')
  await within(await drawer()).findByRole('button', { name: 'Save' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Edit coding' }))
  const form = await drawer()
  const down = await within(form).findByRole('button', { name: 'Move down: Target 1' })
  await user.click(down)
  await user.keyboard('{Escape}')
  const question = await screen.findByRole('dialog', { name: 'Discard your edits?' })
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
  // Back in their old order, nothing is lost.
  await user.click(within(form).getByRole('button', { name: 'Move up: Target 2' }))
  await waitFor(() => expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false))
})

test('a channel and tokens that are not listed stand by their numbers and stay', async () => {
  const rule = { name: 'r', when: { token_ids: [99] }, targets: [targetRecord('a')] }
  const targets = [targetRecord('a', { channel_id: 55 })]
  const gateway = gatewayOf([routeRecord({ targets, rules: [rule] })], {
    'route.update': () => routeRecord(),
  })
  const user = renderConsole(gateway, '/routes?open=4')
  const form = await drawer()
  await within(form).findByDisplayValue('#55')
  expect(within(form).getAllByText('#99')).not.toHaveLength(0)
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(inputsOf(gateway, 'route.update')).toHaveLength(1))
  expect(inputsOf(gateway, 'route.update')).toMatchObject([
    { targets: [{ channel_id: 55 }], rules: [{ when: { token_ids: [99] } }] },
  ])
})

test('a link to a route that is gone says so', async () => {
  renderConsole(gatewayOf([]), '/routes?open=9')
  expect(await screen.findByText('This route no longer exists.')).toBeTruthy()
})
