import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'

test('in Chinese the failures to replay say in Chinese why they failed, and why one can’t be replayed', async () => {
  const failed = {
    ...{ request_id: 'f-1', created_at: 1_795_000_000, model: 'gone', channel_name: '' },
    ...{ status: 404, error_code: 'model_not_found', message: 'There is no channel 7.' },
    message_reason: { code: 'no_channel', id: 7 },
    ...{ reason: 'There is no token 9.', reason_coded: { code: 'no_token', id: 9 } },
  }
  const gateway = createFakeGateway({ 'replay.failures': () => ({ failures: [failed] }) })
  renderConsole(gateway, '/calls/replay', undefined, 'zh')
  expect(await screen.findByText(/没有编号为 7 的渠道/)).toBeTruthy()
  expect(await screen.findByText(/没有编号为 9 的令牌/)).toBeTruthy()
  expect(screen.queryByText(/There is no/)).toBeNull()
})
