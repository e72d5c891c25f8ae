import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

const body = { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] }
const chunk = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n'
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'

const send = (pair: Pair, stream = true, signal?: AbortSignal) =>
  pair.send('/v1/chat/completions', { body: { ...body, stream }, signal })

describe('every call is booked exactly once', () => {
  test('however it ends', async () => {
    const pair = await startPair()
    const ways: [Reply, boolean, Partial<StoredCall>][] = [
      [
        { body: { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } } },
        false,
        { status: 200, type: 2 },
      ],
      [{ body: { choices: [] } }, false, { status: 200, type: 2 }],
      [{ chunks: [chunk, usage, 'data: [DONE]\n\n'] }, true, { status: 200, promptTokens: 3 }],
      [
        { chunks: [chunk, usage, 'data: [DONE]\n\n'], ending: 'cut' },
        true,
        { status: 200, promptTokens: 3 },
      ],
      [{ chunks: [chunk], ending: 'cut' }, true, { type: 2 }],
      [{ chunks: [chunk, usage], ending: 'cut' }, true, { promptTokens: 3, completionTokens: 4 }],
      [{ chunks: [chunk, 'data: {"error":{"message":"x"}}\n\n'] }, true, { content: 'x' }],
      [{ status: 400, body: { error: { message: 'no' } } }, true, { status: 400, type: 5 }],
      [{ status: 500, body: 'x' }, false, { status: 500, type: 5 }],
      [{ ending: 'reset-before-headers' }, true, { status: 502, type: 5 }],
      [{ body: '{"choices":', ending: 'cut' }, false, { status: 502, type: 5 }],
    ]
    for (const [reply, stream, row] of ways) {
      pair.upstream.script(reply)
      const answer = await send(pair, stream)
      expect(pair.rowsOf(answer)).toMatchObject([row])
    }
    expect(pair.gateway.rows()).toHaveLength(ways.length)
    expect(pair.gateway.parts.openCalls.size).toBe(0)
    await pair.close()
  })

  test('when the client leaves before, during and after', async () => {
    const pair = await startPair()
    for (const reply of [
      { ending: 'hang-before-headers' },
      { chunks: [''], ending: 'hang' },
      { chunks: [chunk], ending: 'hang' },
      { body: '{"choi', ending: 'hang' },
    ] satisfies Reply[]) {
      pair.upstream.script(reply)
      const before = pair.upstream.requests.length
      const row = await pair.rowAfter(async () => {
        const leaving = new AbortController()
        const call = send(pair, reply.body === undefined, leaving.signal)
        while (pair.upstream.requests.length === before) await sleep(5)
        await sleep(50)
        leaving.abort()
        await expect(call).rejects.toThrow()
        expect(await pair.upstream.last().ended).toBe('gone')
      })
      expect(row).toMatchObject({ status: 499, content: expect.stringContaining('client') })
      expect(JSON.parse(row.other)).toMatchObject({ cancelled: true })
    }
    expect(pair.gateway.parts.openCalls.size).toBe(0)
    await pair.close()
  })

  test('when the gateway stops, which tells the client so', async () => {
    const pair = await startPair()
    pair.upstream.script({ chunks: [chunk], ending: 'hang' }, { ending: 'hang-before-headers' })
    const streaming = await request(`${pair.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream: true }),
    })
    const waiting = send(pair)
    while (pair.upstream.requests.length < 2) await sleep(5)
    let rows: StoredCall[] = []
    pair.gateway.parts.ledger.onRecorded(() => {
      rows = pair.gateway.rows()
    })
    const stopping = pair.gateway.close()
    const [one, other] = await Promise.all([streaming.body.text(), waiting])
    await stopping
    await pair.upstream.close()
    expect(one).toContain(chunk)
    expect(one).toContain('The gateway is stopping')
    expect(one).not.toContain('[DONE]')
    expect(other.status).toBe(503)
    expect(rows).toHaveLength(2)
    expect(rows.map((row) => row.type).sort()).toEqual([2, 5])
  })

  test('a row is there before the client has read the last event', async () => {
    const pair = await startPair()
    pair.upstream.script({ chunks: [chunk, usage, 'data: [DONE]\n\n'], ending: 'hang' })
    const answer = await request(`${pair.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pair.gateway.key}` },
      body: JSON.stringify({ ...body, stream: true }),
    })
    let text = ''
    for await (const piece of answer.body) {
      text += String(piece)
      if (!text.includes('[DONE]')) continue
      expect(pair.rowsOf(String(answer.headers['x-oneapi-request-id']))).toMatchObject([
        { status: 200, promptTokens: 3, completionTokens: 4 },
      ])
      break
    }
    expect(text).toContain('[DONE]')
    await pair.close()
  })
})
