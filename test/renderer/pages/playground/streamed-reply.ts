import type { StreamEvent } from '../../../../preload/contract.ts'

/** A stream of events begins, of the call `req-1`. */
export const events: StreamEvent = {
  type: 'start',
  status: 200,
  headers: {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-switchyard-call': 'req-1',
  },
}

export const chunk = (body: unknown): StreamEvent => ({
  type: 'chunk',
  bytes: new TextEncoder().encode(
    `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`,
  ),
})

export const text = (content: string) => chunk({ choices: [{ delta: { content } }] })

export const end: StreamEvent[] = [chunk('[DONE]'), { type: 'end' }]
