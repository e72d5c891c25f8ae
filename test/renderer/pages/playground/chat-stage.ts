import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { act } from 'react'
import { expect } from 'vitest'
import type { StreamEvent } from '../../../../preload/contract.ts'
import type { FakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

/** Sends events to the stream that was opened as number `index`, and lets a frame pass. */
export async function send(gateway: FakeGateway, index: number, ...sent: StreamEvent[]) {
  await waitFor(() => expect(gateway.streams.length).toBeGreaterThan(index))
  await act(async () => {
    for (const event of sent) gateway.streams[index]?.send(event)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}

export async function open(gateway: FakeGateway, query = '') {
  const user = renderConsole(gateway, `/playground${query}`)
  await screen.findByLabelText('Message')
  return user
}

export async function type(user: UserEvent, words: string) {
  await user.click(screen.getByLabelText('Message'))
  await user.paste(words)
  await user.keyboard('{Enter}')
}

/** Opens the page and sends a first message. */
export async function say(gateway: FakeGateway, words: string) {
  const user = await open(gateway)
  await type(user, words)
  await waitFor(() => expect(gateway.streams).toHaveLength(1))
  return user
}

/** The body that was asked of stream `index`. */
export const bodyOf = (gateway: FakeGateway, index: number): Record<string, unknown> =>
  (gateway.streams.at(index)?.input as { body?: Record<string, unknown> } | undefined)?.body ?? {}

/** Adds a column and chooses its model. */
export async function addColumn(user: UserEvent, number: number, id: string) {
  await user.click(screen.getByRole('button', { name: 'Add column' }))
  await user.click(screen.getByRole('combobox', { name: `Model of column ${number}` }))
  await user.click(await screen.findByRole('option', { name: new RegExp(id) }))
}

/** A call's row in the log. */
export const bookedCall = {
  ...{ id: 1, kind: 'call', type: 2, status: 200, has_capture: true, request_id: 'req-1' },
  ...{ channel_name: 'Work account', quota: 1000, prompt_tokens: 1423, completion_tokens: 88 },
  ...{ model_name: 'echo', use_time: 1, use_time_ms: 900, created_at: 1, is_stream: true },
  other: JSON.stringify({ frt: 100, loss: [{ path: 'seed', kind: 'dropped', note: '' }] }),
}
