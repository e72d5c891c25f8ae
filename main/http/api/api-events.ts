import type { RequestHandler, Response } from 'express'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import { checkAccess } from '../../manage/operation/access.ts'
import { hasAdministratorRole } from '../../manage/operation/has-administrator-role.ts'
import type { OperationContext } from '../../manage/operation/operation.ts'
import { checkCredential, contextOf } from './api-context.ts'

/** Milliseconds; proxies close what is silent for a minute. */
const HEARTBEAT = 25_000
/** Bytes that wait for a reader who does not read. */
const MOST_WAITING = 64 * 1024

/** Is the user who opened the stream still signed in? */
function isStillWelcome({ user, credential, session, parts }: OperationContext): boolean {
  const current = user && parts.users.byId(user.id)
  if (current?.status !== 1) return false
  if (credential === 'access-token') return current.accessToken === user?.accessToken
  return credential !== 'session' || parts.sessions.get(session?.id ?? '') !== undefined
}

/** When others call is none of a user's business; administrators see all calls. */
function isOwn(users: ReadonlySet<number> | null, { user, parts }: OperationContext): boolean {
  if (users === null || !user || users.has(user.id)) return true
  const current = parts.users.byId(user.id)
  return current === undefined || hasAdministratorRole(current)
}

function serve(response: Response, context: OperationContext): void {
  const { events } = context.parts
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  const write = (text: string): void => {
    if (!isStillWelcome(context)) response.end()
    else if (response.writableLength > MOST_WAITING) response.destroy()
    else response.write(text)
  }
  write(': open\n\n')
  const ends = (['calls', 'server'] as const).map((event) =>
    events.on(event, (users) => {
      if (isOwn(users, context)) write(`event: ${event}\ndata: {}\n\n`)
    }),
  )
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT).unref()
  response.on('close', () => {
    clearInterval(heartbeat)
    for (const end of ends) end()
  })
}

/** GET /api/events: `event: calls` when the ledger has new rows, `event: server` when facts changed. */
export const apiEvents =
  (parts: GatewayParts): RequestHandler =>
  (request, response) => {
    const context = contextOf(request, response, parts)
    checkCredential(request)
    checkAccess({ name: 'events', access: 'user' }, context)
    serve(response, context)
  }
