import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { channelRecord, pageOf } from './channel-records.ts'

const channels = [
  channelRecord({ id: 1, name: 'Loose' }),
  channelRecord({ id: 2, name: 'Work A', tag: 'work', status: 2 }),
  channelRecord({ id: 3, name: 'Work B', tag: 'work', group: 'default,vip' }),
]

const lastInput = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).at(-1)?.input

/** The page by tag, with the drawer of `work` open. */
async function editWork(answers: Parameters<typeof createFakeGateway>[0]) {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.tag-models': () => 'gpt-mini,gpt-large',
    ...answers,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByText('By tag'))
  await user.click(
    await screen.findByRole('button', { name: 'Edit all channels with the tag work' }),
  )
  const drawer = await screen.findByRole('dialog', { name: 'Channels with the tag work' })
  return { gateway, user, drawer }
}

test('each tag has its channels and is switched as one; those without a tag are not', async () => {
  const gateway = createFakeGateway({
    'channel.search': () => pageOf(channels, 12),
    'channel.tag-disable': () => 1,
  })
  const user = renderConsole(gateway, '/channels')
  await user.click(await screen.findByText('By tag'))
  await screen.findByRole('heading', { name: 'work' })
  expect(screen.getByText('1 of 2 enabled')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'No tag' })).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /^Disable all channels with/ })).toHaveLength(1)
  expect(lastInput(gateway, 'channel.search')).toMatchObject({ tag_mode: true })
  await user.click(screen.getByRole('button', { name: 'Disable all channels with the tag work' }))
  await waitFor(() => expect(lastInput(gateway, 'channel.tag-disable')).toEqual({ tag: 'work' }))
})

test('only what was switched on is changed: nothing else is sent', async () => {
  const { gateway, user, drawer } = await editWork({ 'channel.tag-update': () => undefined })
  const save = within(drawer).getByRole('button', { name: 'Change 2 channels' })
  expect(save).toHaveProperty('disabled', true)
  await user.click(within(drawer).getByLabelText('Change: Priority'))
  const priority = within(drawer).getByLabelText('Priority')
  await user.clear(priority)
  await user.type(priority, '5')
  await user.click(save)
  await waitFor(() =>
    expect(lastInput(gateway, 'channel.tag-update')).toEqual({ tag: 'work', priority: 5 }),
  )
})

test('the models begin with the longest list, and an emptied mapping is really cleared', async () => {
  const { gateway, user, drawer } = await editWork({ 'channel.tag-update': () => undefined })
  await user.click(within(drawer).getByLabelText('Change: Models'))
  expect(await within(drawer).findByText('gpt-large')).toBeTruthy()
  await user.click(within(drawer).getByLabelText('Change: Model mapping'))
  await user.click(within(drawer).getByLabelText('Change: Tag'))
  await user.clear(within(drawer).getByLabelText('Tag', { selector: 'input' }))
  await user.click(within(drawer).getByRole('button', { name: 'Change 2 channels' }))
  await waitFor(() =>
    expect(lastInput(gateway, 'channel.tag-update')).toEqual({
      tag: 'work',
      new_tag: '',
      models: 'gpt-mini,gpt-large',
      model_mapping: '{}',
    }),
  )
})

test('a refused override stays where it was typed, with the reason', async () => {
  const { user, drawer } = await editWork({
    'channel.tag-update': () => refuse('"X Y" is no header name', 'header_override'),
  })
  await user.click(within(drawer).getByLabelText('Change: Header override'))
  const field = within(drawer).getByLabelText('Header override')
  await user.type(field, '{{"X Y":"1"}')
  await user.click(within(drawer).getByRole('button', { name: 'Change 2 channels' }))
  expect(await within(drawer).findByText('"X Y" is no header name')).toBeTruthy()
  expect(field).toHaveProperty('value', '{"X Y":"1"}')
})

test('a row of the mapping that is removed leaves the focus beside it', async () => {
  const { user, drawer } = await editWork({})
  await user.click(within(drawer).getByLabelText('Change: Model mapping'))
  const add = within(drawer).getByRole('button', { name: 'Add mapping' })
  await user.click(add)
  const removes = within(drawer).getAllByRole('button', { name: /^Remove \d+$/ })
  await user.click(removes.at(-1) as HTMLElement)
  expect(document.activeElement).toBe(add)
})
