import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  blankTurn,
  type Turn,
} from '../../../../renderer/pages/playground/chat/desk/chat-record.ts'
import { ReplyFigures } from '../../../../renderer/pages/playground/chat/turn/reply-figures.tsx'
import { createFakeGateway, type FakeGateway, model } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { bookedCall, open, say, send, type } from './chat-stage.ts'
import { chunk, end, events, text } from './streamed-reply.ts'

const foot = () => screen.getByRole('region', { name: 'Conversation' })

/** The figure beside its name. */
const figure = (name: string) => {
  const term = within(foot()).getAllByText(name, { selector: 'dt' }).at(-1)
  return term?.nextElementSibling?.textContent
}

/** The log answers once `book` was called, as the gateway books a call some time after its end. */
function bookedLater(gateway: FakeGateway, fields: object = {}) {
  let isBooked = false
  gateway.answer('call.one', () => {
    if (!isBooked) throw new Error('Not booked yet.')
    return { ...bookedCall, ...fields }
  })
  return () => {
    isBooked = true
  }
}

describe('the figures of a reply', () => {
  test('are dashes where the stream tells one alone, not 0', async () => {
    const gateway = createFakeGateway()
    bookedLater(gateway)
    await say(gateway, 'Hello')
    const usage = chunk({ choices: [], usage: { prompt_tokens: 12 } })
    await send(gateway, 0, events, text('Hi'), usage, ...end)
    expect(figure('In')).toBe('12')
    expect(figure('Out')).toBe('–')
  })

  test('of Anthropic’s format keep the input, told first, when the output comes', async () => {
    const gateway = createFakeGateway()
    bookedLater(gateway)
    const user = await open(gateway)
    await user.click(screen.getByRole('combobox', { name: 'Wire format' }))
    await user.click(await screen.findByRole('option', { name: /Anthropic/ }))
    await type(user, 'Hello')
    const message = { usage: { input_tokens: 12, output_tokens: 1 } }
    const delta = { type: 'text_delta', text: 'Hi' }
    await send(
      gateway,
      0,
      events,
      chunk({ type: 'message_start', message }),
      chunk({ type: 'content_block_delta', index: 0, delta }),
      chunk({ type: 'message_delta', delta: {}, usage: { output_tokens: 34 } }),
      chunk({ type: 'message_stop' }),
      { type: 'end' },
    )
    expect(figure('In')).toBe('12')
    expect(figure('Out')).toBe('34')
  })

  test('are the log’s once it has them, with ≈ where they were estimated', async () => {
    const gateway = createFakeGateway()
    const other = JSON.stringify({ frt: 100, estimated: true })
    const book = bookedLater(gateway, { completion_tokens: 321, other })
    await say(gateway, 'Hello')
    const usage = chunk({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 1 } })
    await send(gateway, 0, events, text('Hi'), usage, ...end)
    expect(figure('Out')).toBe('1')
    book()
    await waitFor(() => expect(figure('Out')).toBe('≈ 321'))
    expect(figure('In')).toBe('≈ 1,423')
    expect(figure('Cost')).toBe('≈ $0.002')
    // As in Calls, which has no time of this page.
    expect(figure('First token')).toBe('100 ms')
    expect(figure('Speed')).toMatch(/^≈ 401\b/)
  })

  test('of a reply that was stopped are the log’s, so that its cost is seen', async () => {
    const gateway = createFakeGateway()
    const book = bookedLater(gateway)
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Hi'))
    await user.keyboard('{Escape}')
    book()
    await waitFor(() => expect(figure('Cost')).toBe('$0.002'))
  })

  test('of a conversation that was left before they were booked come when it is opened again', async () => {
    const gateway = createFakeGateway()
    const book = bookedLater(gateway)
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Hi'), ...end)
    await user.click(screen.getByRole('button', { name: 'New conversation' }))
    book()
    await new Promise((resolve) => setTimeout(resolve, 900))
    await user.click(screen.getByRole('button', { name: 'Conversations' }))
    const list = await screen.findByRole('dialog', { name: 'Conversations' })
    await user.click(await within(list).findByRole('button', { name: /^Hello/ }))
    await waitFor(() => expect(figure('Channel')).toBe('Work account'))
    expect(figure('Cost')).toBe('$0.002')
  })

  test('are not shown of a reply that was edited: they are the original’s', async () => {
    const gateway = createFakeGateway()
    bookedLater(gateway)()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Hi'), ...end)
    await waitFor(() => expect(figure('Channel')).toBe('Work account'))
    await user.click(screen.getByRole('button', { name: 'Edit reply' }))
    await user.type(screen.getByRole('textbox', { name: 'Edit reply' }), ' there')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await within(foot()).findByText('edited')).toBeTruthy()
    expect(within(foot()).queryByText('Cost')).toBeNull()
    expect(within(foot()).queryByText('Open in inspector')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Earlier version' }))
    expect(figure('Channel')).toBe('Work account')
  })
})

test('a reply of a conversation that was kept earlier shows its times and losses as they are', async () => {
  const booked = {
    ...{ channel: 'Work', input: 1, output: 2, quota: null, unpriced: false, estimated: false },
    ...{ losses: ['dropped seed: an old note'], hasCapture: false },
  }
  const times = { firstToken: 250, duration: 300 }
  const turn: Turn = {
    ...{ ...blankTurn, id: '1', parent: null, role: 'assistant' },
    ...{ ...times, booked },
  }
  renderConsole(createFakeGateway(), '/', <ReplyFigures turn={turn} />)
  expect(await screen.findByText('dropped seed: an old note')).toBeTruthy()
  expect(screen.getByText('250 ms')).toBeTruthy()
})

test('a model without a price for its output shows none, not $0', async () => {
  const price = { input: 0.02, output: null, call: null, unit: null }
  const gateway = createFakeGateway({
    'playground.catalogue': () => [model('echo', { price })],
  })
  const user = await open(gateway)
  await user.click(screen.getByRole('combobox', { name: 'Model' }))
  const option = await screen.findByRole('option', { name: /echo/ })
  expect(option.textContent).toContain('$0.02 in per 1M')
  expect(option.textContent).not.toContain('out')
})
