import { expect, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { UnnamedSessions } from '../../../../main/manage/sessions/unnamed-sessions.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import { collectGarbage } from '../../../support/collect-garbage.ts'

const MEBIBYTE = 1024 * 1024

test('in a flood of long calls no more of their bodies are held than are looked at', async () => {
  const sessions = new UnnamedSessions(
    { joinSession: () => {}, list: () => ({ items: [], total: 0 }) },
    { find: () => null, newestOnDisk: () => [] },
    createLog('silent'),
  )
  const held: WeakRef<JsonFields>[] = []
  for (let index = 0; index < 15; index++) {
    const messages = [{ role: 'user', content: 'x'.repeat(MEBIBYTE) }]
    const body = new JsonFields(Buffer.from(JSON.stringify({ model: 'm', messages })))
    held.push(new WeakRef(body))
    const caller = { user: { id: 1 }, token: null }
    const call = { ...{ format: 'chat', verb: 'generate', origin: '', headers: {} }, body, caller }
    sessions.note(call as unknown as Call, { requestId: String(index), createdAt: index })
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
