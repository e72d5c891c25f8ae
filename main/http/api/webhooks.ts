import express from 'express'
import { GatewayError } from '../../base/errors.ts'
import { addressGroup } from '../../base/net/address-list.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { Webhook } from '../../manage/operation/operation.ts'
import { webhooks } from '../../manage/payment/webhooks.ts'
import { decodedBody } from '../model/read-body.ts'
import { requestIdOf } from '../request-id.ts'
import { LONGEST_UPLOAD } from './api-input.ts'
import { createLimit } from './api-limits.ts'

const BODY_LIMIT = 256 * 1024

/** Deliveries without a right signature that one address may send in a minute. */
const FAILURES = { windowMs: 60_000, limit: 120 }

async function readBytes(request: express.Request): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of decodedBody(request, BODY_LIMIT, LONGEST_UPLOAD)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The status of one delivery; what is not foreseen is a 500, so that the vendor sends it again. */
async function answer(
  webhook: Webhook,
  request: express.Request,
  response: express.Response,
  parts: GatewayParts,
): Promise<number> {
  // The vendor sends it again later, when its signature can be checked.
  if (parts.secretKey.lock) {
    response.setHeader('Connection', 'close')
    return 503
  }
  const secret = parts.settings.current[webhook.secretOption]
  const isPacked = (request.headers['content-encoding'] ?? 'identity') !== 'identity'
  // Providers send their events plain, and unpacking costs far more than checking a signature.
  if (secret === '' || isPacked) {
    response.setHeader('Connection', 'close')
    return secret === '' ? 403 : 415
  }
  let body: Buffer
  try {
    body = await readBytes(request)
  } catch (error) {
    const isTooLarge = error instanceof GatewayError && error.code === 'payload_too_large'
    if (isTooLarge) response.setHeader('Connection', 'close')
    return isTooLarge ? 413 : webhook.unreadable
  }
  try {
    return await webhook.receive({ body, headers: request.headers, secret }, parts)
  } catch (error) {
    const id = requestIdOf(response)
    parts.log.error({ err: error, webhook: webhook.name, request: id }, 'webhook failed')
    return 500
  }
}

/**
 * The paths that payment providers call. They come before sessions, JSON and the limits of the management
 * API: a signature over the raw bytes is all that counts here, and the answer is a status without a body.
 */
export function webhookRouter(parts: GatewayParts): express.Router {
  const router = express.Router({ caseSensitive: true })
  for (const webhook of webhooks) {
    const limit = createLimit({
      ...FAILURES,
      keyGenerator: (request) => addressGroup(parts.clients.of(request)),
      skipSuccessfulRequests: true,
      // A failure of ours counts against nobody.
      requestWasSuccessful: (_request, { statusCode }) => statusCode < 400 || statusCode >= 500,
    })
    router
      .route(webhook.http.path)
      .post(limit, async (request, response) => {
        const status = await answer(webhook, request, response, parts)
        response.status(status).end()
      })
      .all((_request, response) => {
        response.setHeader('Allow', 'POST')
        response.status(405).end()
      })
  }
  return router
}
