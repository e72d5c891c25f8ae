import type { Request, RequestHandler, Response } from 'express'
import { MemoryStore, type Options, rateLimit } from 'express-rate-limit'
import { GatewayError } from '../../base/errors.ts'
import { addressGroup } from '../../base/net/address-list.ts'
import { waitText } from '../../base/wait-text.ts'
import { requestLimits } from '../../manage/api-document/request-limits.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import { allOperations } from '../../manage/operation/invoke.ts'
import type {
  Operation,
  OperationContext,
  StreamOperation,
} from '../../manage/operation/operation.ts'
import { contextOf } from './api-context.ts'
import { readDevice } from './device-cookie.ts'

const { global: GLOBAL, critical: CRITICAL, search: SEARCH } = requestLimits

type AnyOperation = Operation | StreamOperation

/** Sign-in paths, whose operations limit failures themselves. */
const entryPaths = new Set(
  allOperations.filter(({ limit }) => limit === 'entry').map(({ http }) => http.path),
)

/** The limits of management-api §2.4; each throws `rate_limited` with the seconds to wait. */
export interface ApiLimits {
  /** Every request: strangers from afar by their address; who is signed in has room for a polling console. */
  global: RequestHandler
  /** The limit that an operation names itself. */
  ofOperation(operation: AnyOperation, request: Request, response: Response): Promise<void>
}

/** Its times are the system clock's: when that is set back, nobody waits until it has caught up. */
class Counts extends MemoryStore {
  override async increment(key: string): ReturnType<MemoryStore['increment']> {
    const known = await this.get(key)
    const left = (known?.resetTime?.getTime() ?? 0) - Date.now()
    if (left > this.windowMs) await this.resetKey(key)
    return super.increment(key)
  }
}

export function createLimit(options: Partial<Options>): RequestHandler {
  return rateLimit({
    store: new Counts(),
    standardHeaders: false,
    legacyHeaders: false,
    // Keys are made here; its own checks are of settings of Express that nothing here uses.
    validate: false,
    handler(request, _response, next) {
      const reset: Date | undefined = (request as Request & { rateLimit?: { resetTime?: Date } })
        .rateLimit?.resetTime
      const retryAfter = Math.max(1, Math.ceil(((reset?.getTime() ?? 0) - Date.now()) / 1000))
      next(
        new GatewayError('rate_limited', {
          message: `Too many requests. Try again in ${waitText(retryAfter)}.`,
          retryAfter,
          reason: { code: 'too_many_requests', seconds: retryAfter },
        }),
      )
    },
    ...options,
  })
}

const pass = (limit: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    void limit(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })

export function createApiLimits(parts: GatewayParts): ApiLimits {
  const address = (request: Request): string => addressGroup(parts.clients.of(request))
  const keyOf = (request: Request, response: Response): string => {
    const { user } = contextOf(request, response, parts)
    return user ? `user ${user.id}` : address(request)
  }
  // Counted apart, so that the holder of an access token cannot use up what the console may.
  const credentialOf = (request: Request, response: Response): string =>
    `${keyOf(request, response)} ${contextOf(request, response, parts).credential}`
  /** Behind a proxy all may have one address: people at this machine and in known browsers do not count there. */
  const isNear = (request: Request): boolean =>
    parts.clients.isLocal(request) || readDevice(request, parts) !== null
  const allowance = (
    context: OperationContext,
    {
      session,
      accessToken,
      strangers = accessToken,
    }: { session: number; accessToken: number; strangers?: number },
  ): number => {
    if (!context.user) return strangers
    return context.credential === 'session' ? session : accessToken
  }

  const global = createLimit({
    windowMs: 1000 * GLOBAL.seconds,
    limit: (request, response) => allowance(contextOf(request, response, parts), GLOBAL),
    keyGenerator: credentialOf,
    skip: (request, response) => !contextOf(request, response, parts).user && isNear(request),
  })
  const search = createLimit({
    windowMs: 1000 * SEARCH.seconds,
    limit: (request, response) => allowance(contextOf(request, response, parts), SEARCH),
    keyGenerator: credentialOf,
  })
  const critical = createLimit({
    windowMs: 1000 * CRITICAL.seconds,
    limit: CRITICAL.requests,
    keyGenerator: (request, response) => `${response.locals.limited} ${keyOf(request, response)}`,
  })
  // A flood of anonymous requests must not keep anybody from signing in.
  const entry = createLimit({
    windowMs: 1000 * GLOBAL.seconds,
    limit: GLOBAL.strangers,
    keyGenerator: address,
    skip: isNear,
  })
  const isEntry = ({ method, path }: Request): boolean =>
    method === 'POST' && entryPaths.has(path.replace(/\/$/, ''))

  return {
    global(request, response, next) {
      const limit = isEntry(request) ? entry : global
      return limit(request, response, next)
    },

    async ofOperation({ name, limit }, request, response) {
      if (limit === undefined || limit === 'entry') return
      if (limit === 'search') return pass(search, request, response)
      response.locals.limited = name
      return pass(critical, request, response)
    },
  }
}
