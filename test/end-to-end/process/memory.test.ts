import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { callModel } from '../../support/clients/model-call.ts'
import { isEveryCase } from '../../support/every-case.ts'
import { builtEntry } from '../../support/gateway/gateway-command.ts'
import { type GatewayProcess, runGateway } from '../../support/gateway/gateway-process.ts'
import { type OwnerClient, setUpOwner } from '../../support/gateway/owner-client.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

const MEBIBYTE = 1024 * 1024
const STREAMS = 256
const MOST_WITH_STREAMS = 150 * MEBIBYTE
const CALLS = isEveryCase ? 4000 : 2000
/** How far apart the process is looked at. */
const CALLS_A_LOOK = CALLS / 16
/** 200 words over 8 seconds, or half of both. */
const WORDS = isEveryCase ? '200 after 8000' : '100 after 4000'
const LARGE_CALLS = 12
const CONNECTIONS = 16
/** Between the calls of the second third and of the last: six or twelve kilobytes a call. `npm run soak` sees less. */
const MOST_GROWTH = 8 * MEBIBYTE

/**
 * V8's room for garbage depends on its version and on the machine's memory. With a small heap, the test
 * sees what the gateway itself holds.
 */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=64'

const isMeasurable = process.platform === 'linux' && existsSync(builtEntry)
const NOT_HERE = 'needs /proc and the built gateway (npm run build)'

function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) * 1024
}

interface Ready {
  gateway: GatewayProcess
  upstream: ScriptedUpstream
  owner: OwnerClient
  key: string
}

/** `until`: when the vendor's streams may end. */
async function readyGateway(until?: Promise<void>): Promise<Ready> {
  const upstream = await startUpstream((asked) => ({
    ...vendorReply(asked),
    ...(until && { until }),
  }))
  onTestFinished(() => upstream.close())
  const gateway = await runGateway({ entry: builtEntry, env: { NODE_OPTIONS } })
  const owner = await setUpOwner(gateway.url)
  await owner.addChannel({ base_url: upstream.url, models: 'chat-model' })
  return { gateway, upstream, owner, key: await owner.addToken() }
}

test(`${STREAMS} open streams stay under 150 MB`, { timeout: 240_000 }, async (context) => {
  if (!isMeasurable) return context.skip(NOT_HERE)
  let release = () => {}
  const areAllOpen = new Promise<void>((resolve) => {
    release = resolve
  })
  const { gateway, key } = await readyGateway(areAllOpen)
  const calls = Array.from({ length: STREAMS }, () =>
    callModel(gateway.url, key, { stream: true, text: WORDS }),
  )
  let most = 0
  let mostOpen = 0
  let isOver = false
  const over = Promise.all(calls.map((call) => call.over)).then(() => {
    isOver = true
  })
  while (!isOver) {
    most = Math.max(most, residentBytes(gateway.pid))
    mostOpen = Math.max(mostOpen, calls.filter(({ text, isWhole }) => text && !isWhole).length)
    if (mostOpen === STREAMS) release()
    await sleep(50)
  }
  await over
  expect(mostOpen).toBe(STREAMS)
  for (const call of calls) expect(call).toMatchObject({ status: 200, isWhole: true })
  expect(most).toBeLessThan(MOST_WITH_STREAMS)
})

test(`${CALLS} calls leave nothing behind`, { timeout: 300_000 }, async (context) => {
  if (!isMeasurable) return context.skip(NOT_HERE)
  const { gateway, upstream, owner, key } = await readyGateway()
  const pool = new Pool(gateway.url, { connections: CONNECTIONS })
  onTestFinished(() => pool.close())
  const bodyOf = (content: string) =>
    JSON.stringify({ model: 'chat-model', messages: [{ role: 'user', content }] })
  const body = bodyOf('hi '.repeat(300))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sizes: number[] = []
  // Captures have a memory of their own, which is bounded: it's full before anything is measured.
  for (let begun = 0; begun < LARGE_CALLS; begun++) {
    const large = { path: '/v1/chat/completions', headers, body: bodyOf('x'.repeat(3_000_000)) }
    const answer = await pool.request({ ...large, method: 'POST' })
    await answer.body.dump()
  }
  let begun = 0
  const worker = async (): Promise<void> => {
    while (begun < CALLS) {
      begun++
      // The vendor of the tests keeps what it was asked; that is not what is measured.
      if (begun % CALLS_A_LOOK === 0) {
        sizes.push(residentBytes(gateway.pid))
        upstream.requests.length = 0
      }
      const answer = await pool.request({
        path: '/v1/chat/completions',
        method: 'POST',
        headers,
        body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`A call was answered ${answer.statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))

  const { total } = await owner.ask<{ total: number }>('GET', '/api/log/')
  expect(total).toBe(LARGE_CALLS + CALLS)
  // Garbage piles up between collections: the minimum of each part is what stays.
  const third = Math.floor(sizes.length / 3)
  const early = Math.min(...sizes.slice(third, 2 * third))
  const late = Math.min(...sizes.slice(-third))
  expect(late - early).toBeLessThan(MOST_GROWTH)
})
