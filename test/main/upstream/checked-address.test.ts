import { expect, onTestFinished, test } from 'vitest'
import { GatewayError } from '../../../main/base/errors.ts'
import { readAll } from '../../../main/upstream/body.ts'
import { sendUpstream } from '../../../main/upstream/send-upstream.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'

const LIMIT = 1000

test('an address that a name leads to is looked at before it is connected to', async () => {
  const upstream = await startUpstream(() => ({ body: { ok: true } }))
  onTestFinished(() => upstream.close())
  const url = `http://localhost:${new URL(upstream.url).port}/`
  const send = (checkAddress: (address: string, host: string) => void) =>
    sendUpstream({ method: 'GET', url, headers: {}, checkAddress })
  const seen: string[] = []
  const refusal = new GatewayError('invalid_params', { message: 'Not there.' })
  const refused = send((address, host) => {
    seen.push(host)
    if (address === '127.0.0.1') throw refusal
  })
  await expect(refused).rejects.toBe(refusal)
  expect([seen[0], upstream.requests.length]).toEqual(['localhost', 0])
  const answer = await send(() => {})
  expect((await readAll(answer.body, LIMIT)).toString()).toBe('{"ok":true}')
})
