import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../base/errors.ts'
import { tokenFigures } from '../../manage/tokens/token-figures.ts'
import { admitOwner } from '../../relay/1-admit/admit-caller.ts'
import type { Caller } from '../../relay/call/call.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import { REQUEST_ID } from '../request-id.ts'
import type { ModelPath } from './model-path.ts'

type QuotaPath = Extract<ModelPath, { kind: 'token-quota' }>

/**
 * Answers what a token has, has used and was used for (management-api §6):
 * GET /v1/dashboard/billing/subscription and …/usage, with or without `/v1`, GET /api/usage/token and
 * GET /api/log/token. Throws what keeps the caller from asking. Without the critical limit that §2.4 of it
 * names: tools ask before every call, and a key of 48 characters is not guessed.
 */
export function answerTokenQuota(
  { question }: QuotaPath,
  caller: Caller,
  response: ServerResponse,
  id: string,
  parts: RelayServices,
): void {
  admitOwner(caller)
  const { token, user } = caller
  if (token === null) {
    throw new GatewayError('missing_token', {
      message:
        'Only a token has a quota. Send a token of this gateway as "Authorization: Bearer sk-…".',
      reason: { code: 'key_without_quota' },
    })
  }
  const text = JSON.stringify(tokenFigures[question].answer(token, user, parts))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    // Money changes with every call.
    'cache-control': 'no-store',
    [REQUEST_ID]: id,
  })
  response.end(text)
}
