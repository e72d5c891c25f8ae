import { promises as timers } from 'node:timers'
import type { Protocol } from 'electron'
import { app } from './app.ts'

type ProtocolHandler = Parameters<Protocol['handle']>[1]
const privileged = new Set<string>()
const handlers = new Map<string, ProtocolHandler>()

export const protocol: Pick<
  Protocol,
  'handle' | 'isProtocolHandled' | 'registerSchemesAsPrivileged'
> = {
  registerSchemesAsPrivileged(schemes) {
    app.onlyBeforeReady('protocol.registerSchemesAsPrivileged')
    for (const { scheme, privileges } of schemes) {
      // Without both, a page of the scheme has no origin and no secure context, unlike its https twin.
      if (privileges?.standard && privileges.secure) privileged.add(scheme)
    }
  },
  handle(scheme, handler) {
    app.onlyWhenReady('protocol.handle')
    if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} is handled already`)
    if (!privileged.has(scheme)) throw new Error(`The scheme ${scheme} is not standard and secure`)
    handlers.set(scheme, handler)
  },
  isProtocolHandled: (scheme) => handlers.has(scheme),
}

interface AskedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: Uint8Array | null
}

/** Answers a request of a page as the app's own handler does; what is no answer is an error. */
export async function answerRequest({
  url,
  method,
  headers,
  body,
}: AskedRequest): Promise<Response> {
  // STAND_IN_ANSWER_DELAY is for tests that need a page to load for a while, in milliseconds.
  await timers.setTimeout(Number(process.env.STAND_IN_ANSWER_DELAY ?? 0))
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  if (!handler) throw new Error(`No handler for ${url}`)
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(':') && name !== 'host')
  const init = { method, headers: own, ...(body && { body: Buffer.from(body) }) }
  const response: unknown = await handler(new Request(url, init) as never)
  if (!(response instanceof Response)) throw new Error(`No Response for ${url}: ERR_UNEXPECTED`)
  if (response.type === 'error') throw new Error(`An error for ${url}: ERR_FAILED`)
  return response
}
