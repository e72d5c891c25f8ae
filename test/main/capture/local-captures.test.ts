import { expect, onTestFinished, test } from 'vitest'
import { Cancellation } from '../../../main/base/cancellation.ts'
import { type OutgoingRequest, send } from '../../../main/relay/3-prepare/send.ts'
import { startTestGateway } from '../../support/gateway/start-test-gateway.ts'

test('a channel within the gateway that fails before its answer ends its capture, and says why', async () => {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  const { captures } = gateway.parts
  const capture = captures.begin({
    ...{ id: 'local', receivedAt: 0, userId: 1, tokenId: 0, format: 'chat' },
    ...{ model: 'm', method: 'POST', url: '/', headers: [] },
  })
  const pieces = [Buffer.from('{}')]
  const fail = () => {
    throw new Error('It broke.')
  }
  const call = { capture, verb: null, body: { pieces, parse: () => ({}) } }
  const place = {
    adaptor: { local: { answer: fail } },
    ...{ channel: { id: 1, name: 'Local' }, upstreamModel: 'm' },
  }
  const request: OutgoingRequest = {
    ...{ format: 'chat', stream: false, altSse: false, url: 'local', headers: {} },
    ...{ body: pieces, form: null },
  }
  const sent = send(call as never, place as never, request, new Cancellation(), {} as never)
  await expect(sent).rejects.toThrow('It broke.')
  expect(captures.find('local')?.exchanges).toMatchObject([
    { channelName: 'Local', failure: { code: 'internal', message: 'It broke.' } },
  ])
  capture?.end(false)
  // Only a capture that is over is taken out.
  expect(captures.clear()).toBe(1)
})
