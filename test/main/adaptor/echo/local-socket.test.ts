import { expect, test } from 'vitest'
import { LocalSocket } from '../../../../main/adaptor/echo/realtime/local-socket.ts'
import { openEchoSession } from '../../../../main/adaptor/echo/realtime/realtime.ts'
import type { FrameSocket } from '../../../../main/base/net/frame-socket.ts'

/** The replies to these messages, up to the connection's end or the first `last`. */
function saidTo(socket: FrameSocket, messages: unknown[], last: string): Promise<object[]> {
  const said: { type: string }[] = []
  return new Promise((resolve) => {
    socket.listen({
      onFrame(data) {
        said.push(JSON.parse(data.toString()))
        if (said.at(-1)?.type !== last) return
        socket.close(1000, '')
        resolve(said)
      },
      onDrain() {},
      onEnd: ({ code }) => resolve([...said, { code }]),
    })
    for (const message of messages) socket.send(Buffer.from(JSON.stringify(message)), false)
  })
}

test('a message whose type is no word is refused by its field, and the session goes on', async () => {
  const odd = { toString: 1, valueOf: 1 }
  const [, refusal, cleared] = await saidTo(
    openEchoSession({ format: 'realtime', model: 'echo', query: '' }),
    [{ type: odd, event_id: odd }, { type: 'input_audio_buffer.clear' }],
    'input_audio_buffer.cleared',
  )
  expect(refusal).toMatchObject({ type: 'error', error: { param: 'type', code: 'invalid_value' } })
  expect(cleared).toMatchObject({ type: 'input_audio_buffer.cleared' })
})

test('an item without content comes back without', async () => {
  const sent = { type: 'function_call_output', call_id: 'call_1', output: '{}' }
  const said = await saidTo(
    openEchoSession({ format: 'realtime', model: 'echo', query: '' }),
    [{ type: 'conversation.item.create', item: sent }],
    'conversation.item.done',
  )
  const { item } = said.at(-1) as unknown as { item: object }
  expect(item).toEqual({ id: expect.any(String), ...sent, status: 'completed' })
})

test('who sends much at once is asked to wait, and to go on once half of it is answered', async () => {
  const socket = new LocalSocket({
    open: () => [],
    answer: () => [],
    interrupts: () => false,
    refuse: (message) => ({ message }),
  })
  let drained = 0
  const hasDrained = new Promise<void>((resolve) => {
    socket.listen({
      onFrame() {},
      onEnd() {},
      onDrain() {
        drained++
        resolve()
      },
    })
  })
  const message = Buffer.from('{"type":"x"}')
  // What it says on opening waits too.
  const taken = Array.from({ length: 70 }, () => socket.send(message, false))
  expect(taken.lastIndexOf(true)).toBe(62)
  await hasDrained
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(drained).toBe(1)
  expect(socket.send(message, false)).toBe(true)
  socket.close(1000, '')
})

test('an Echo that fails ends its connection, and not the process', async () => {
  const socket = new LocalSocket({
    open: () => [{ type: 'opened' }],
    answer: () => ({
      [Symbol.iterator]: () => ({
        next() {
          throw new Error('Broken.')
        },
      }),
    }),
    interrupts: () => false,
    refuse: (message) => ({ message }),
  })
  expect(await saidTo(socket, [{ type: 'x' }], 'never')).toMatchObject([
    { type: 'opened' },
    { code: 1011 },
  ])
})
