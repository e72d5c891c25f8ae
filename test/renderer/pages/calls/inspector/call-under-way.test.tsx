import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createFakeGateway } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'
import { callRecord, timeline } from '../call-records.ts'

// Wide enough for the panel beside the list.
beforeEach(() => Reflect.get(window, 'happyDOM').setViewport({ width: 1400, height: 900 }))

const running = callRecord({
  ...{ kind: 'running', status: 0, use_time_ms: 5000, has_capture: true },
  other: '{"usage_unknown":true}',
})

const capture = {
  id: 'request-1',
  client: { request: null, answer: null },
  exchanges: [{ answer: { status: 200, body: { kind: 'events', size: 20, text: null } } }],
}

const event = (data: string) => ({ at: 1, name: null, data })

test('the usage of an open call comes when it ends; before, the vendor is not said to have none', async () => {
  const gateway = createFakeGateway({
    'call.timeline': () => timeline(running),
    'call.one': () => running,
    'capture.get': () => capture,
    'capture.events': () => ({ upstream: [event('{"choices":[]}')], client: [], links: [] }),
  })
  renderConsole(gateway, '/calls?open=request-1&tab=usage')
  await screen.findByText('No usage yet: the call is running.')
  expect(screen.queryByText('The vendor’s answer has no usage.')).toBeNull()

  // The last event and the end come between two looks.
  const ended = callRecord({ has_capture: true })
  gateway.answer('call.one', () => ended)
  gateway.answer('call.timeline', ({ q = '' }: { q?: string }) =>
    q.includes('running:yes') ? timeline() : timeline(ended),
  )
  gateway.answer('capture.events', () => ({
    ...{ upstream: [event('{"usage":{"total_tokens":46}}')], client: [], links: [] },
  }))
  await screen.findByText(/"total_tokens": 46/, {}, { timeout: 30_000 })
})

test('of a call that was refused before any vendor was called, none is said to have no usage', async () => {
  const refused = callRecord({ type: 5, status: 403, has_capture: true })
  const gateway = createFakeGateway({
    'call.timeline': () => timeline(refused),
    'capture.get': () => ({ ...capture, exchanges: [] }),
  })
  renderConsole(gateway, '/calls?open=request-1&tab=usage')
  expect(await screen.findByText('No upstream was called.')).toBeTruthy()
  expect(screen.queryByText('The vendor’s answer has no usage.')).toBeNull()
})

test('the end of an open call is read, though the last look came just before it', async () => {
  let isOver = false
  let looks = 0
  const ended = callRecord({ has_capture: true })
  const now = () => (isOver ? ended : running)
  const gateway = createFakeGateway({
    'call.timeline': ({ q = '' }: { q?: string }) =>
      isOver && q.includes('running:yes') ? timeline() : timeline(now()),
    // The end comes with the very look that tells of it, before another look at the answer.
    'call.one': () => {
      isOver = ++looks > 1
      return now()
    },
    'capture.get': () => capture,
    'capture.reading': () => ({
      output: [{ kind: 'text', text: isOver ? 'Hello, world' : 'Hello' }],
      problem: null,
    }),
  })
  renderConsole(gateway, '/calls?open=request-1&tab=answer')
  await screen.findByText('Hello, world', {}, { timeout: 30_000 })
})
