import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { copied } from '../../../../main/relay/translate/threads/copied.ts'
import { Translators } from '../../../../main/relay/translate/threads/translators.ts'

const translators = new Translators(createLog('silent'))

afterEach(() => {
  vi.useRealTimers()
  translators.close()
})

/** A whole answer of a text of so many characters, for a client of Messages. */
function translate(size: number) {
  const message = { role: 'assistant', content: 'x'.repeat(size) }
  const content = Buffer.from(
    JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  )
  const asked = { origin: 'messages', model: 'm', stream: false, turns: [], tools: [] }
  return translators.translateAnswer({
    kind: 'answer',
    bytes: copied([content], content.length),
    isEvents: false,
    call: { id: '1', format: 'messages', model: 'm', stream: false, asArray: false },
    from: { format: 'chat', model: 'm' },
    asked: stringifyExact(asked),
    store: undefined,
    renamed: null,
    callIds: [],
    estimatedInput: 1,
    cacheBooking: null,
  })
}

test('a large answer that comes when the thread was idle for nearly five minutes is translated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect((await translate(10))?.body.length).toBeGreaterThan(10)
  vi.advanceTimersByTime(5 * 60_000 - 1)
  const large = translate(20_000_000)
  vi.advanceTimersByTime(1)
  expect((await large)?.body.length).toBeGreaterThan(20_000_000)
})
