import { expect, test } from 'vitest'
import type { CallResult, ConsoleBridge } from '../../../preload/contract.ts'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { createIpcClient } from '../../../renderer/gateway/ipc.ts'

const bridgeThat = (call: () => Promise<CallResult>): ConsoleBridge => ({
  call,
  stream: () => () => {},
  on: () => () => {},
  platform: 'linux',
})

test('a refusal over the bridge is the same failure as over HTTP', async () => {
  const error = { code: 'invalid_params', message: 'Too short.', field: 'key', status: 400 }
  const client = createIpcClient(bridgeThat(async () => ({ ok: false, error })))
  const failure = await client.call('user.self', {}).catch((thrown) => thrown)
  expect(failure).toBeInstanceOf(CallFailure)
  expect(failure).toMatchObject(error)
})

test('data, message and what stands beside them cross the bridge', async () => {
  const result = { ok: true, data: [1], message: 'fine', extra: { time: 0.25 } } as const
  const client = createIpcClient(bridgeThat(async () => ({ ...result })))
  expect(await client.call('channel.test', { id: 1 })).toEqual({
    data: [1],
    message: 'fine',
    extra: { time: 0.25 },
  })
})

test('a cancelled call fails at once, even if no answer ever comes', async () => {
  const client = createIpcClient(bridgeThat(() => new Promise(() => {})))
  const controller = new AbortController()
  const call = client.call('user.self', {}, controller.signal)
  controller.abort()
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})
