// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { createChatReader } from '../../../../renderer/pages/playground/chat/stream/read-chat-stream.ts'
import type { AnswerFailure } from '../../../../renderer/pages/playground/run/answer-failure.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'
import { responsesStreams } from '../../../support/recordings/recorded-responses.ts'

interface Heard {
  text: string
  reasoning: string
  calls: Record<string, { id?: string; name?: string; json: string }>
  usage: { input?: number; output?: number }
  failure: AnswerFailure | null | undefined
}

/** What the console understands of a stream that comes in pieces. */
function hear(format: WireFormat, pieces: readonly Buffer[]): Heard {
  const heard: Heard = { text: '', reasoning: '', calls: {}, usage: {}, failure: undefined }
  const read = createChatReader(format, {
    onCall() {},
    onEvent(event) {
      if (event.type === 'usage') {
        const { type: _, ...counts } = event
        heard.usage = { ...heard.usage, ...counts }
      } else if (event.type === 'call') {
        const known = heard.calls[event.key] ?? { json: '' }
        const { id = known.id, name = known.name, delta } = event
        heard.calls[event.key] = { id, name, json: known.json + delta }
      } else heard[event.type] += event.delta
    },
    onEnd(failure) {
      heard.failure = failure
    },
  })
  read({ type: 'start', status: 200, headers: { 'content-type': 'text/event-stream' } })
  for (const bytes of pieces) read({ type: 'chunk', bytes })
  read({ type: 'end' })
  return heard
}

const streams = [...recordedStreams, ...responsesStreams]
const bytesOf = (name: string): Buffer => {
  const stream = streams.find((one) => one.name.endsWith(name))
  if (!stream) throw new Error(`There is no recording ${name}.`)
  return stream.bytes
}

/** Ids that the reader makes up differ each time. */
const withoutIds = (heard: Heard) => ({ ...heard, calls: Object.values(heard.calls).map(({ name, json }) => ({ name, json })) })

test.each(streams.map(({ name, format, bytes }) => ({ name, format, bytes })))(
  'wherever $name is cut, the console reads the same',
  ({ format, bytes }) => {
    const whole = withoutIds(hear(format, [bytes]))
    for (let seed = 1; seed <= 5; seed++) {
      expect(withoutIds(hear(format, cutAtRandom(bytes, seed))), `seed ${seed}`).toEqual(whole)
    }
  },
)
