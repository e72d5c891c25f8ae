import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { upstreamFailure } from '../../upstream/failure.ts'
import { defineStream } from '../operation/operation.ts'

/** The window's pages can't call the gateway by HTTP, as a tool and a browser's pages do. */
export const sendWithToken = defineStream({
  name: 'desktop.send-with-token',
  summary:
    "Sends a request to this gateway as a tool does, with a token's key, and answers with its answer; only from the desktop's own window.",
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/desktop/send_with_token' },
  input: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z
      .string()
      .regex(/^\/[^/]/)
      .max(2000)
      .describe('From the root, such as `/v1/models`.'),
    key: z.string().max(500),
    body: z.string().optional().describe('JSON.'),
  }),
  before({ via }) {
    if (via === 'ipc') return
    throw new GatewayError('conflict', {
      message:
        'Only the window of the desktop app can use this. Send the request to its own path instead.',
      reason: { code: 'send_it_yourself' },
    })
  },
  async run({ method, path, key, body }, { parts, signal }) {
    const url = parts.address().url + path
    try {
      const answer = await fetch(url, {
        ...{ method, signal, redirect: 'manual' },
        headers: {
          authorization: `Bearer ${key}`,
          // Anthropic's wire format asks for it; the others ignore it.
          'anthropic-version': '2023-06-01',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      return {
        status: answer.status,
        headers: { 'content-type': answer.headers.get('content-type') ?? '' },
        body: Buffer.from(await answer.arrayBuffer()),
      }
    } catch (error) {
      throw upstreamFailure(error, url)
    }
  },
})
