import { expect, test, vi } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { UnnamedSessions } from '../../../../main/manage/sessions/unnamed-sessions.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import type { Ledger } from '../../../../main/store/ledger/ledger.ts'
import { collectGarbage } from '../../../support/collect-garbage.ts'

const MEBIBYTE = 1024 * 1024

const sessionsWith = (joinSession: Ledger['joinSession']) =>
  new UnnamedSessions(
    { joinSession, list: () => ({ items: [], total: 0 }) },
    { find: () => null, newestOnDisk: () => [] },
    createLog('silent'),
  )

const say = (content: string) => ({ role: 'user', content })

/** Tells of a call with these messages; gives its body. */
function note(sessions: UnnamedSessions, index: number, messages: object[]): JsonFields {
  const body = new JsonFields(Buffer.from(JSON.stringify({ model: 'm', messages })))
  const caller = { user: { id: 1 }, token: null }
  const call = { ...{ format: 'chat', verb: 'generate', origin: '', headers: {} }, body, caller }
  sessions.note(call as unknown as Call, { requestId: String(index), createdAt: index })
  return body
}

test('in a flood of long calls no more of their bodies are held than are looked at', async () => {
  const sessions = sessionsWith(() => {})
  const held: WeakRef<JsonFields>[] = []
  for (let index = 0; index < 15; index++) {
    held.push(new WeakRef(note(sessions, index, [say('x'.repeat(MEBIBYTE))])))
  }
  sessions.stop()
  // A reference that was made or read in this turn of the loop holds until its end.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  const alive = held.filter((one) => one.deref() !== undefined).length
  // 8 MiB at once and one more, and another for each second that this takes. The last line keeps all of it alive.
  expect(alive).toBeGreaterThan(5)
  expect(alive).toBeLessThan(14)
  sessions.stop()
})

test('after many long calls the session of the next one is still found', async () => {
  let later = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  const joined = new Set<string>()
  const sessions = sessionsWith((_, calls) => {
    for (const { requestId } of calls) joined.add(requestId)
  })
  const messages = [say('x'.repeat(6 * MEBIBYTE))]
  // 6 MiB each: more than may wait at once, but each pair is looked at before the next one comes.
  for (const pair of [0, 2, 4]) {
    for (const index of [pair, pair + 1]) {
      note(sessions, index, messages)
      messages.push({ role: 'assistant', content: 'Done.' }, say(`Go on, ${index}.`))
    }
    await expect.poll(() => joined).toContain(String(pair + 1))
    later += 60_000
  }
  sessions.stop()
})
