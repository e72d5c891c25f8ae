import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { act } from 'react'
import { expect } from 'vitest'
import type { StreamEvent } from '../../../../preload/contract.ts'
import { createFakeGateway, type FakeGateway, model } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const all = [
  ...(['chat', 'images', 'speech'] as const),
  ...(['transcription', 'embeddings', 'rerank'] as const),
]

/** Models of every kind: one that can do all, one that only chats, one that only embeds. */
export const catalogue = [
  model('echo', { display_name: 'Echo', capabilities: all }),
  model('talker'),
  model('embedder', { capabilities: ['embeddings'] }),
]

/** The playground at an address, with those models. */
export async function openPlayground(query: string) {
  const gateway = createFakeGateway({ 'playground.catalogue': () => catalogue })
  const user = renderConsole(gateway, `/playground${query}`)
  await screen.findByRole('combobox', { name: 'Model' })
  return { gateway, user }
}

/** As pasted: letter by letter would take a busy machine its time. */
export async function fillIn(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text)
}

type Body = Uint8Array | string | object

const bytesOf = (body: Body): Uint8Array => {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Answers the stream that was opened as number `index`, cut in two pieces. */
export async function answer(
  gateway: FakeGateway,
  index: number,
  body: Body,
  { status = 200, type = 'application/json', id = '' } = {},
): Promise<void> {
  await waitFor(() => expect(gateway.streams.length).toBeGreaterThan(index))
  const bytes = bytesOf(body)
  const half = bytes.length >> 1
  const events: StreamEvent[] = [
    {
      ...{ type: 'start', status },
      headers: { 'content-type': type, ...(id && { 'x-oneapi-request-id': id }) },
    },
    { type: 'chunk', bytes: bytes.slice(0, half) },
    { type: 'chunk', bytes: bytes.slice(half) },
    { type: 'end' },
  ]
  act(() => {
    for (const event of events) gateway.streams[index]?.send(event)
  })
}
