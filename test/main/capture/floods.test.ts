import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway/start-test-gateway.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway()
})
afterEach(() => gateway.close())

const captures = () => gateway.parts.captures

/** A call that ends at once. */
function call(id: string, isFailed: boolean): void {
  const capture = captures().begin({
    ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat' },
    ...{ model: 'm', method: 'POST', url: '/', headers: [] },
  })
  if (isFailed) capture?.fail()
  capture?.end(false)
}

test('in a flood the calls that failed are all kept, and of the others some', () => {
  const ids = Array.from({ length: 2000 }, (_, at) => `flood ${at}`)
  for (const [at, id] of ids.entries()) call(id, at % 10 === 0)
  // One that won't be kept isn't held either.
  expect(captures().has(['flood 1999']).size).toBe(0)
  const kept = captures().has(ids)
  expect(ids.filter((id, at) => at % 10 === 0 && !kept.has(id))).toEqual([])
  expect(kept.size).toBeLessThan(1000)
})

test('a flood of calls that fail leaves those that succeed their captures', async () => {
  const good = Array.from({ length: 10 }, (_, at) => `good ${at}`)
  for (const id of good) {
    for (let at = 0; at < 200; at++) call(`before ${id}: ${at}`, true)
    call(id, false)
  }
  // What rests for a moment would be let go only then.
  await sleep(400)
  expect(captures().has(good).size).toBe(10)
})
