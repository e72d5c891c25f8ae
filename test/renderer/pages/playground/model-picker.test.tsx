import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, model } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const models = [
  model('claude-sonnet-4-5-20250929', {
    display_name: 'Claude Sonnet 4.5',
    vendor: 'Anthropic',
    context: 200_000,
    price: { input: 3, output: 15, call: null, unit: null },
    channels: [{ id: 7, name: 'Work account' }],
  }),
  model('gpt-5-mini', { display_name: 'GPT-5 mini', vendor: 'OpenAI', context: 400_000 }),
  model('painter', {
    vendor: 'OpenAI',
    capabilities: ['chat', 'images'],
    calls_tools: false,
    price: { input: null, output: null, call: null, unit: { of: 'image', price: 0.04 } },
  }),
]

async function openPicker() {
  const gateway = createFakeGateway({ 'playground.catalogue': () => models })
  const user = renderConsole(gateway, '/playground')
  const field = await screen.findByRole('combobox', { name: 'Model' })
  await user.click(field)
  const search = await screen.findByLabelText('Name, id, vendor or channel')
  const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
  return { gateway, user, field, search, names }
}

describe('the model select', () => {
  test.each([
    ['an id', 'sonnet-4-5-2025', 'Claude Sonnet 4.5'],
    ['a display name', 'sonnet 4.5', 'Claude Sonnet 4.5'],
    ['a channel', 'work acc', 'Claude Sonnet 4.5'],
    ['a vendor', 'anthropic', 'Claude Sonnet 4.5'],
  ])('finds by %s', async (_, typed, found) => {
    const { user, search, names } = await openPicker()
    await user.type(search, typed)
    expect(names()).toHaveLength(1)
    expect(names()[0]).toContain(found)
  })

  test('says when nothing matches, and still shows the model that the page talks to', async () => {
    const { user, field, search, names } = await openPicker()
    await user.type(search, 'nothing-like-it')
    expect(names()).toEqual([])
    expect(screen.getByText('No model, vendor or channel matches “nothing-like-it”.')).toBeTruthy()
    expect(field.textContent).toBe('Claude Sonnet 4.5')
  })

  test('groups by vendor, with context, price and abilities', async () => {
    await openPicker()
    const openai = screen.getByRole('group', { name: 'OpenAI' })
    const [mini, painter] = within(openai).getAllByRole('option')
    expect(mini?.textContent).toContain('gpt-5-mini')
    expect(mini?.textContent).toContain('400K context')
    expect(painter?.textContent).toContain('$0.04 per image · Chat, Images · no tool calls')
    expect(mini?.textContent).not.toContain('tool calls')
    const anthropic = screen.getByRole('group', { name: 'Anthropic' })
    expect(anthropic.textContent).toContain('$3 in, $15 out per 1M')
  })

  test('Enter takes the first match of what was typed, then the one that the arrows chose', async () => {
    const { user, field, search } = await openPicker()
    await user.type(search, 'gpt-5')
    await user.keyboard('{Enter}')
    expect(field.textContent).toBe('GPT-5 mini')
    await user.click(field)
    await user.type(screen.getByLabelText('Name, id, vendor or channel'), 'openai')
    await user.keyboard('{ArrowDown}{Enter}')
    expect(field.textContent).toBe('painter')
  })

  test('a model found by its id is the one that is called', async () => {
    const { gateway, user, field, search } = await openPicker()
    await user.type(search, 'gpt-5')
    await user.click(screen.getByRole('option'))
    expect(field.textContent).toBe('GPT-5 mini')
    await user.type(screen.getByLabelText('Message'), 'Hello{Enter}')
    expect(gateway.streams[0]?.input).toMatchObject({ model: 'gpt-5-mini' })
  })
})

test('a user whom no model is open to is sent to the owner, not to channels', async () => {
  const gateway = createFakeGateway({
    'user.self': () => ({ id: 2, username: 'ada', role: 1 }),
    'playground.catalogue': () => [],
  })
  renderConsole(gateway, '/playground')
  await screen.findByText('None of this gateway’s models is open to you. Ask its owner.')
  expect(screen.queryByRole('link', { name: 'Add a channel' })).toBeNull()
})
