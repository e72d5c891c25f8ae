import type { Request, RequestHandler, Response } from 'express'
import { type Options, rateLimit } from 'express-rate-limit'
import { addressGroup } from '../base/address-list.ts'
import { GatewayError } from '../base/errors.ts'
import type { GatewayParts } from '../manage/gateway-parts.ts'
import type { Operation, OperationContext, StreamOperation } from '../manage/operation.ts'
import { contextOf } from './api-context.ts'

const GLOBAL = { windowMs: 180_000, strangers: 180, accessToken: 1_000, session: 6_000 }
const CRITICAL = { windowMs: 20 * 60_000, account: 20, address: 100 }
const SEARCH = { windowMs: 60_000, accessToken: 10, session: 120 }

type AnyOperation = Operation | StreamOperation

/** The limits of management-api §2.4; each throws `rate_limited` with the seconds to wait. */
export interface ApiLimits {
  /** Every request: strangers by their address; who is signed in has room for a polling console. */
  global: RequestHandler
  /** The limit that an operation names itself. */
  ofOperation(
    operation: AnyOperation,
    input: Record<string, unknown>,
    request: Request,
    response: Response,
  ): Promise<void>
  /** Tells the limits of failures that this request was none. */
  succeeded(response: Response): void
}

export function createLimit(options: Partial<Options>): RequestHandler {
  return rateLimit({
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
          message: `Too many requests. Try again in ${retryAfter} seconds.`,
          retryAfter,
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
    windowMs: GLOBAL.windowMs,
    limit: (request, response) => allowance(contextOf(request, response, parts), GLOBAL),
    keyGenerator: keyOf,
  })
  const search = createLimit({
    windowMs: SEARCH.windowMs,
    limit: (request, response) => allowance(contextOf(request, response, parts), SEARCH),
    keyGenerator: keyOf,
  })
  const critical = createLimit({
    windowMs: CRITICAL.windowMs,
    limit: CRITICAL.account,
    keyGenerator: (request, response) => `${response.locals.limited} ${keyOf(request, response)}`,
  })
  // Where people come in, only failures count: by account and address, and by address alone
  // for whoever tries many names.
  const failures = {
    windowMs: CRITICAL.windowMs,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request: Request, response: Response) =>
      response.locals.succeeded === true,
  }
  const byAccount = createLimit({
    ...failures,
    limit: CRITICAL.account,
    keyGenerator: (request, response) => `${response.locals.limited} ${address(request)}`,
  })
  const byAddress = createLimit({
    ...failures,
    limit: CRITICAL.address,
    keyGenerator: (request) => address(request),
  })

  return {
    global,

    async ofOperation({ name, limit }, input, request, response) {
      if (limit === undefined) return
      if (limit === 'search') return pass(search, request, response)
      response.locals.limited = name
      if (limit === 'critical') return pass(critical, request, response)
      const { username } = input
      const pending = contextOf(request, response, parts).session?.pendingUserId
      if (typeof username === 'string') {
        response.locals.limited = `${name} ${username.trim().toLowerCase().slice(0, 200)}`
      } else if (pending) response.locals.limited = `${name} ${pending}`
      await pass(byAddress, request, response)
      await pass(byAccount, request, response)
    },

    succeeded(response) {
      response.locals.succeeded = true
    },
  }
}
