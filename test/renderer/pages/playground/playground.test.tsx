// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, type FakeGateway, model } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { chunk, end, events, text } from './streamed-reply.ts'

/** Sends events to the stream that was opened as number `index`, and lets a frame pass. */
async function send(gateway: FakeGateway, index: number, ...sent: Parameters<typeof deliver>[2][]) {
  await waitFor(() => expect(gateway.streams.length).toBeGreaterThan(index))
  await act(async () => {
    for (const event of sent) deliver(gateway, index, event)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}

const deliver = (gateway: FakeGateway, index: number, event: ReturnType<typeof text>) =>
  gateway.streams[index]?.send(event)

async function open(gateway: FakeGateway) {
  const user = renderConsole(gateway, '/playground')
  await screen.findByLabelText('Message')
  return user
}

async function type(user: UserEvent, words: string) {
  await user.click(screen.getByLabelText('Message'))
  await user.paste(words)
  await user.keyboard('{Enter}')
}

async function say(gateway: FakeGateway, words: string) {
  const user = await open(gateway)
  await type(user, words)
  await waitFor(() => expect(gateway.streams).toHaveLength(1))
  return user
}

/** Request body of stream `index`. */
const bodyOf = (gateway: FakeGateway, index: number): Record<string, unknown> =>
  (gateway.streams.at(index)?.input as { body?: Record<string, unknown> } | undefined)?.body ?? {}

describe('the playground', () => {
  test('shows the reply as it comes, then its figures and its place in the inspector', async () => {
    const gateway = createFakeGateway()
    gateway.answer('call.one', () => ({ ...bookedCall }))
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Good **mor'), text('ning**'))
    expect(screen.getByText('morning').tagName).toBe('STRONG')
    await send(
      gateway,
      0,
      chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage: { prompt_tokens: 1423, completion_tokens: 88 } }),
      ...end,
    )
    const foot = screen.getByRole('region', { name: 'Conversation' })
    await within(foot).findByText('1,423')
    expect(within(foot).getByText('88')).toBeTruthy()
    await within(foot).findByText('Work account')
    expect(within(foot).getByText('$0.002')).toBeTruthy()
    expect(within(foot).getByText('1 loss in conversion')).toBeTruthy()
    const link = within(foot).getByRole('link', { name: 'Open in inspector' })
    expect(link.getAttribute('href')).toBe('/console/calls?open=req-1')
  })

  test('sends only the parameters that were set', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    expect(gateway.streams[0]?.input).toEqual({
      model: 'echo',
      format: 'chat',
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    })
  })

  test('Esc cancels the call and keeps what had come', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Half an ans'))
    await user.keyboard('{Escape}')
    expect(gateway.streams[0]?.cancelled).toBe(true)
    await send(gateway, 0, text('wer'), { type: 'end' })
    expect(screen.getByText('Half an ans')).toBeTruthy()
    expect(screen.getByText('stopped')).toBeTruthy()
  })

  test('a refusal shows the vendor’s own sentence, and Try again keeps it as an earlier version', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    const error = { message: 'Your credit balance is too low.', code: 'insufficient_quota' }
    await send(
      gateway,
      0,
      { type: 'start', status: 429, headers: { 'content-type': 'application/json' } },
      { type: 'chunk', bytes: new TextEncoder().encode(JSON.stringify({ error })) },
      { type: 'end' },
    )
    expect(screen.getByText('Your credit balance is too low.')).toBeTruthy()
    expect(screen.getByText(/429 · insufficient_quota/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await send(gateway, 1, events, text('Now it works.'), ...end)
    expect(gateway.streams[1]?.input).toEqual(gateway.streams[0]?.input)
    expect(screen.queryByText('Your credit balance is too low.')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Earlier version' }))
    expect(screen.getByText('Your credit balance is too low.')).toBeTruthy()
    expect(screen.queryByText('Now it works.')).toBeNull()
  })

  test('a reply that breaks off is not passed off as whole', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Half an ans'), { type: 'end' })
    expect(screen.getByText('Reply interrupted')).toBeTruthy()
  })

  test('a second message carries the first turn and its reply', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await type(user, 'Two')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(bodyOf(gateway, 1)).toEqual({
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'First' },
        { role: 'user', content: 'Two' },
      ],
    })
  })

  test('pictures in a reply are linked, not fetched', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('![map](https://tracker.example/x.png)'))
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: 'Image: map' })).toBeTruthy()
  })

  test('an edited message is another version: the first stays, and what followed it', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const field = screen.getByRole('textbox', { name: 'Edit' })
    await user.clear(field)
    await user.type(field, 'Uno')
    await user.click(screen.getByRole('button', { name: 'Send edited' }))
    await send(gateway, 1, events, text('Primo'), ...end)
    expect(bodyOf(gateway, 1)).toEqual({ messages: [{ role: 'user', content: 'Uno' }] })
    expect(screen.getByText('2 of 2')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Earlier version' }))
    expect(screen.getByText('First')).toBeTruthy()
    expect(screen.queryByText('Primo')).toBeNull()
  })

  test('a branch is a conversation of its own that begins with the turns up to there', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await type(user, 'Two')
    await send(gateway, 1, events, text('Second'), ...end)
    const [first] = screen.getAllByRole('article', { name: 'echo' })
    if (!first) throw new Error('There is no reply.')
    await user.click(within(first).getByRole('button', { name: 'Branch from here' }))
    expect(screen.queryByText('Second')).toBeNull()
    await type(user, 'Three')
    await waitFor(() => expect(gateway.streams).toHaveLength(3))
    expect(JSON.stringify(bodyOf(gateway, 2))).not.toContain('Two')
    expect(JSON.stringify(bodyOf(gateway, 2))).toContain('First')
  })
})

const bookedCall = {
  ...{ id: 1, kind: 'call', type: 2, status: 200, has_capture: true, request_id: 'req-1' },
  ...{ channel_name: 'Work account', quota: 1000, prompt_tokens: 1423, completion_tokens: 88 },
  ...{ model_name: 'echo', use_time: 1, use_time_ms: 900, created_at: 1, is_stream: true },
  other: JSON.stringify({ frt: 100, loss: [{ path: 'seed', kind: 'dropped', note: '' }] }),
}

describe('columns', () => {
  const models = [model('echo'), model('other'), model('third')]
  const pair = () => createFakeGateway({ 'playground.catalogue': () => models })

  async function addColumn(user: UserEvent, number: number, id: string) {
    await user.click(screen.getByRole('button', { name: 'Add column' }))
    await user.click(screen.getByRole('combobox', { name: `Model of column ${number}` }))
    await user.click(await screen.findByRole('option', { name: new RegExp(id) }))
  }

  test('one message goes to each model; each can be stopped alone, and one can be kept', async () => {
    const gateway = pair()
    const user = await open(gateway)
    await addColumn(user, 2, 'other')
    await type(user, 'Hello')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(gateway.streams.map(({ input }) => (input as { model: string }).model)).toEqual([
      'echo',
      'other',
    ])
    await send(gateway, 0, events, text('One half'))
    await send(gateway, 1, events, text('Other half'))
    const second = screen.getByRole('region', { name: 'Column 2' })
    await user.click(within(second).getByRole('button', { name: 'Stop' }))
    expect(gateway.streams.map(({ cancelled }) => cancelled)).toEqual([false, true])
    await send(gateway, 0, ...end)
    await user.click(within(second).getByRole('button', { name: 'Keep only this column' }))
    expect(screen.queryByText('One half')).toBeNull()
    await type(user, 'Go on')
    await waitFor(() => expect(gateway.streams).toHaveLength(3))
    expect(gateway.streams[2]?.input).toMatchObject({ model: 'other' })
  })

  test('there are four at most, each with parameters of its own', async () => {
    const gateway = pair()
    const user = await open(gateway)
    for (let more = 0; more < 3; more++) {
      await user.click(screen.getByRole('button', { name: 'Add column' }))
    }
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add column' }).disabled).toBe(
      true,
    )
    const panel = screen.getByRole('complementary', { name: 'Parameters' })
    await user.type(within(panel).getByLabelText('Temperature'), '0.3')
    await type(user, 'Hello')
    await waitFor(() => expect(gateway.streams).toHaveLength(4))
    const temperatures = gateway.streams.map((_, index) => bodyOf(gateway, index).temperature)
    expect(temperatures).toEqual([undefined, undefined, undefined, 0.3])
  })

  test('finished replies are not rendered again while another streams', async () => {
    const gateway = pair()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('A **finished** reply'), ...end)
    const finished = screen.getByText('finished')
    await type(user, 'Two')
    await send(gateway, 1, events, text('# Head\n\nA first **block** is done.\n\n'))
    const block = screen.getByText('block')
    let changes = 0
    const observer = new MutationObserver((records) => {
      changes += records.length
    })
    for (const element of [finished, block]) {
      const options = { childList: true, subtree: true, characterData: true }
      observer.observe(element.closest('article div') ?? element, options)
    }
    const pieces = Array.from({ length: 200 }, (_, index) => text(`word${index} `))
    await send(gateway, 1, ...pieces)
    expect(screen.getByText(/word0 word1 .* word199/)).toBeTruthy()
    expect(finished.isConnected && block.isConnected).toBe(true)
    observer.disconnect()
    // One frame, and so one change of the block under way, however many tokens came.
    expect(changes).toBeLessThan(5)
  })
})
