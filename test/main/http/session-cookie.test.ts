import type { Request } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { sessionVerification } from '../../../main/http/api/session-cookie.ts'
import { startTestGateway } from '../../support/gateway/start-test-gateway.ts'

test('a session that is ended while its password is checked does not come back', async () => {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  const session = {
    save: (done: () => void) => done(),
  }
  const request = { sessionID: 'ended', session } as unknown as Request
  await expect(sessionVerification(request, gateway.parts).mark()).rejects.toMatchObject({
    ...{ code: 'unauthenticated', reason: { code: 'session_ended_meanwhile' } },
  })
  expect(session).not.toHaveProperty('verifiedUntil')
})
