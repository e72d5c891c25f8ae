import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import {
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../../support/clients/form-bytes.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

const PATH = '/v1/audio/transcriptions'
const field = (name: string, body: string): WrittenPart => ({ name, body })
const sound: WrittenPart = { name: 'file', filename: 'speech.wav', body: wavBytes(300_000) }

async function startEmpty(): Promise<Pair> {
  const pair = await startPair({ empty: true })
  onTestFinished(() => pair.close())
  return pair
}

/** Sends the beginning of a form; `rest` sends what is left. */
function beginUpload({ gateway }: Pair, bytes: Buffer, beginning: number) {
  const outgoing = request(gateway.url + PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': FORM_TYPE,
      'content-length': bytes.length,
    },
  })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', async (response: IncomingMessage) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) })
    })
  })
  outgoing.write(bytes.subarray(0, beginning))
  return { answer, rest: () => outgoing.end(bytes.subarray(beginning)) }
}

test.each([
  ['a vendor that is asked in another format', 24, 'gemini-3-flash'],
  ['Echo', 900, 'echo'],
  ['a vendor that takes forms', 1, 'whisper-1'],
])(
  'a gateway that stops while a form for %s is coming says so and books it',
  async (_, type, model) => {
    const pair = await startEmpty()
    pair.gateway.addChannel({ type, baseUrl: pair.upstream.url, models: [model] })
    const { answer } = beginUpload(pair, formBytes([field('model', model), sound]), 1000)
    while (pair.gateway.parts.openCalls.size === 0) await sleep(5)
    let rows: StoredCall[] = []
    pair.gateway.parts.ledger.onRecorded(() => {
      rows = pair.gateway.rows()
    })
    await pair.gateway.close()
    const { status, body } = await answer
    expect(status).toBe(503)
    expect(body).toContain('The gateway is stopping')
    expect(rows).toMatchObject([{ status: 503, type: 5 }])
  },
)

test('a form that turns out wrong behind its file is sent to no second channel', async () => {
  const pair = await startEmpty()
  pair.gateway.set({ RetryTimes: 5 })
  for (const name of ['one', 'two', 'three']) {
    pair.gateway.addChannel({ name, baseUrl: pair.upstream.url, models: ['whisper-1'] })
  }
  const bytes = formBytes([field('model', 'whisper-1'), sound, field('model', 'another')])
  const { answer, rest } = beginUpload(pair, bytes, 200_000)
  await sleep(100)
  rest()
  const { status, body } = await answer
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({ error: { param: 'model' } })
  expect(pair.upstream.requests).toHaveLength(0)
  const [row] = pair.gateway.rows()
  expect(JSON.parse(row?.other ?? '').admin_info.use_channel).toHaveLength(1)
})

test.each([
  ['temperature', field('temperature', 'hot')],
  ['stream', field('stream', 'perhaps')],
])('a form whose %s cannot be right is refused by that name', async (param, wrong) => {
  const pair = await startEmpty()
  pair.gateway.addChannel({ baseUrl: pair.upstream.url, models: ['whisper-1'] })
  const answer = await pair.send(PATH, {
    body: formBytes([field('model', 'whisper-1'), sound, wrong]),
    headers: { 'content-type': FORM_TYPE },
  })
  expect(answer.status).toBe(400)
  expect(answer.json()).toMatchObject({ error: { param } })
  expect(pair.upstream.requests).toHaveLength(0)
})

test('a stream of a form that is cut is booked with no tokens that nobody counted', async () => {
  const pair = await startEmpty()
  pair.gateway.addChannel({ baseUrl: pair.upstream.url, models: ['gpt-image-1'] })
  const partial = { type: 'image_edit.partial_image', b64_json: 'AAAA', partial_image_index: 0 }
  pair.upstream.script({
    chunks: [`event: ${partial.type}\ndata: ${JSON.stringify(partial)}\n\n`],
    ending: 'cut',
  })
  const picture = Buffer.from('89504e470d0a1a0a', 'hex')
  const answer = await pair.send('/v1/images/edits', {
    body: formBytes([
      ...['model:gpt-image-1', 'stream:true', 'prompt:Blue.'].map((one) => {
        const [name = '', value = ''] = one.split(':')
        return field(name, value)
      }),
      { name: 'image', filename: 'cat.png', body: picture },
    ]),
    headers: { 'content-type': FORM_TYPE },
  })
  const [row] = pair.rowsOf(answer)
  expect(row).toMatchObject({ promptTokens: 0, completionTokens: 0, quota: 0 })
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ usage_unknown: true })
})
