// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../../../../preload/contract.ts'
import { createFakeGateway, type FakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const events: StreamEvent = {
  type: 'start',
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
}

const chunk = (body: unknown): StreamEvent => ({
  type: 'chunk',
  bytes: new TextEncoder().encode(
    `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`,
  ),
})

const text = (content: string) => chunk({ choices: [{ delta: { content } }] })

function send(gateway: FakeGateway, ...sent: StreamEvent[]): void {
  act(() => {
    for (const event of sent) gateway.streams.at(-1)?.send(event)
  })
}

async function say(gateway: FakeGateway, words: string) {
  const user = renderConsole(gateway, '/playground')
  await user.type(await screen.findByLabelText('Message'), `${words}{Enter}`)
  await waitFor(() => expect(gateway.streams).toHaveLength(1))
  return user
}

describe('the playground', () => {
  test('shows the reply as it comes, then its tokens', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    send(gateway, events, text('Good **mor'), text('ning**'))
    expect(screen.getByText('morning').tagName).toBe('STRONG')
    send(
      gateway,
      chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage: { prompt_tokens: 1423, completion_tokens: 88 } }),
      chunk('[DONE]'),
      { type: 'end' },
    )
    expect(screen.getByText('1,423 in · 88 out')).toBeTruthy()
    expect(screen.getByText(/^first token/)).toBeTruthy()
  })

  test('sends only the parameters that were set', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    expect(gateway.streams[0]?.input).toEqual({
      model: 'echo',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('Stop cancels the call and keeps what had come', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    send(gateway, events, text('Half an ans'))
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(gateway.streams[0]?.cancelled).toBe(true)
    send(gateway, text('wer'), { type: 'end' })
    expect(screen.getByText('Half an ans')).toBeTruthy()
    expect(screen.getByText('stopped')).toBeTruthy()
  })

  test('a refusal shows the vendor’s own sentence, and Try again asks the same', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    const error = { message: 'Your credit balance is too low.', code: 'insufficient_quota' }
    send(
      gateway,
      { type: 'start', status: 429, headers: { 'content-type': 'application/json' } },
      { type: 'chunk', bytes: new TextEncoder().encode(JSON.stringify({ error })) },
      { type: 'end' },
    )
    expect(screen.getByText('Your credit balance is too low.')).toBeTruthy()
    expect(screen.getByText(/429 · insufficient_quota/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(gateway.streams[1]?.input).toEqual(gateway.streams[0]?.input)
    expect(screen.queryByText('Your credit balance is too low.')).toBeNull()
  })

  test('a reply that breaks off is not passed off as whole', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    send(gateway, events, text('Half an ans'), { type: 'end' })
    expect(screen.getByText('Reply interrupted')).toBeTruthy()
  })

  test('a second message carries the first turn and its reply', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    send(gateway, events, text('First'), chunk('[DONE]'), { type: 'end' })
    await user.type(screen.getByLabelText('Message'), 'Two{Enter}')
    expect(gateway.streams[1]?.input).toMatchObject({
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
    send(gateway, events, text('![map](https://tracker.example/x.png)'))
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: 'Image: map' })).toBeTruthy()
  })
})
