import { EventEmitter } from 'node:events'
import type { WebContents } from 'electron'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ConsoleCalls, createConsoleCalls } from '../../main/desktop/console-calls.ts'
import { endCallsWithPage } from '../../main/desktop/ipc.ts'
import type { StreamEvent } from '../../preload/contract.ts'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import { type ScriptedUpstream, startUpstream } from '../support/upstreams/scripted-upstream.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

let gateway: TestGateway
let upstream: ScriptedUpstream
let calls: ConsoleCalls
let page: EventEmitter
let told: string[]

beforeAll(() => import('../../main/manage/operation/invoke.ts'))
beforeEach(async () => {
  // One word, and then nothing.
  const word = 'data: {"choices":[{"index":0,"delta":{"content":"word"}}]}\n\n'
  upstream = await startUpstream(() => ({ chunks: [word], ending: 'hang' }))
  gateway = await startTestGateway()
  gateway.addChannel({ baseUrl: upstream.url })
  calls = createConsoleCalls(gateway.parts)
  page = new EventEmitter()
  endCallsWithPage(page as WebContents, calls)
  told = []
})
afterEach(async () => {
  calls.cancelAll()
  await gateway.close()
  await upstream.close()
})

/** A chat of the page whose first word has come. */
async function begin(): Promise<void> {
  const messages = [{ role: 'user', content: 'hi' }]
  const tell = ({ type }: StreamEvent) => told.push(type)
  calls.stream(1, 'playground.chat', { model: 'model-a', stream: true, messages }, tell)
  await expect.poll(() => told).toContain('chunk')
}

const hasLeft = () => upstream.last().ended

test.each([
  ['another page is in the window', 'did-navigate', []],
  ['the page crashed', 'render-process-gone', [{ reason: 'crashed', exitCode: 1 }]],
  ['the window is gone', 'destroyed', []],
  ['its reload failed', 'did-fail-provisional-load', [-6, 'ERR_FILE_NOT_FOUND', '', true]],
])('a reply is given up at its vendor once %s', async (_what, event, facts) => {
  await begin()
  page.emit(event, {}, ...facts)
  expect(await hasLeft()).toBe('gone')
  expect(calls.isBusy).toBe(false)
})

test.each([
  ['a navigation that was given up', [-3, 'ERR_ABORTED', '', true]],
  ['a frame in the page that can’t be loaded', [-6, 'ERR_FILE_NOT_FOUND', '', false]],
])('%s doesn’t end the replies of the page, which stays', async (_what, facts) => {
  await begin()
  page.emit('did-fail-provisional-load', {}, ...facts)
  expect(calls.isBusy).toBe(true)
})

test('of a reply that was cancelled the page is told nothing more, not even its end', async () => {
  upstream.script({ ending: 'hang-before-headers' })
  const tell = ({ type }: StreamEvent) => told.push(type)
  calls.stream(1, 'playground.chat', { model: 'model-a', messages: [] }, tell)
  calls.cancel(1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(told).toEqual([])
  expect(calls.isBusy).toBe(false)
})
