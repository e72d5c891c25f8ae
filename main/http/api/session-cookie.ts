import type { Request, RequestHandler, Response } from 'express'
import session, { type SessionData } from 'express-session'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { VERIFIED_SECONDS } from '../../manage/account/step-up.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { SessionControl, Verification } from '../../manage/operation/operation.ts'
import type { Sessions } from '../../store/records/sessions.ts'
import type { User } from '../../store/records/users.ts'
import { readDevice, rememberDevice, setDeviceCookieLast } from './device-cookie.ts'

declare module 'express-session' {
  interface SessionData {
    userId?: number
    /** User who gave the right password and still needs the second factor. */
    pendingUserId?: number
    /** Unix seconds. */
    signedInAt?: number
    ip?: string
    userAgent?: string
    /** Unix seconds until which who is signed in need not show again that it is them. */
    verifiedUntil?: number
  }
}

const COOKIE = 'session'
const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000
/** Milliseconds for the second factor. */
const PENDING = 5 * 60 * 1000
/** Characters kept of a browser's user agent, which is only shown. */
const LONGEST_USER_AGENT = 300

type Done = (error?: unknown) => void

/** express-session's view of `store/sessions.ts`; a session ends 30 days after its login. */
class SessionStore extends session.Store {
  readonly #sessions: Sessions

  constructor(sessions: Sessions) {
    super()
    this.#sessions = sessions
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const found = this.#sessions.get(id)
    if (!found) {
      done(null, null)
      return
    }
    const expires = new Date(found.expiresAt * 1000)
    done(null, {
      ...found.data,
      cookie: { ...cookie, originalMaxAge: THIRTY_DAYS, expires },
      userId: found.userId,
    })
  }

  override set(id: string, session: SessionData, done?: Done): void {
    const { cookie, userId = 0, ...data } = session
    const end = cookie.expires ? new Date(cookie.expires).getTime() : Date.now() + THIRTY_DAYS
    const expiresAt = Math.floor(end / 1000)
    run(done, () => this.#sessions.put({ id, userId, data: { ...data }, expiresAt }))
  }

  override destroy(id: string, done?: Done): void {
    run(done, () => this.#sessions.remove(id))
  }

  /** A request alone changes nothing: no file is written for it. */
  override touch(_id: string, _session: SessionData, done?: Done): void {
    done?.()
  }
}

function run(done: Done | undefined, act: () => void): void {
  try {
    act()
  } catch (error) {
    done?.(error)
    return
  }
  done?.()
}

const cookie = {
  path: '/',
  httpOnly: true,
  sameSite: 'strict',
  secure: 'auto',
  maxAge: THIRTY_DAYS,
} as const

/** Reads the cookie `session`, and sets it once someone signs in; nobody else gets one. */
export function sessionCookie({ sessions, sessionSecrets, clients }: GatewayParts): RequestHandler {
  const readSession = session({
    name: COOKIE,
    // The very list, which grows when the data key is unlocked.
    secret: sessionSecrets,
    store: new SessionStore(sessions),
    resave: false,
    saveUninitialized: false,
    cookie,
  })
  return function readCookies(request, response, next) {
    // express-session sets the attribute Secure by it. TLS ends in front of the gateway, never here.
    Object.defineProperty(request, 'secure', { value: clients.isSecure(request) })
    setDeviceCookieLast(response)
    readSession(request, response, next)
  }
}

const asPromise = (act: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())))

/** The id of the user whose session the request belongs to; 0 = nobody's. */
export const sessionUserId = (request: Request): number => request.session.userId ?? 0

/** A new id, so that one which somebody planted before the login is worth nothing after it. */
async function beginSession(request: Request, data: Partial<SessionData>): Promise<void> {
  await asPromise((done) => request.session.regenerate(done))
  Object.assign(request.session, data)
  if (data.pendingUserId !== undefined) request.session.cookie.maxAge = PENDING
  await asPromise((done) => request.session.save(done))
}

/** The request's session, as operations use it. */
export const sessionControl = (
  request: Request,
  response: Response,
  parts: GatewayParts,
): SessionControl => ({
  get id() {
    return request.sessionID
  },

  get pendingUserId() {
    return request.session.pendingUserId ?? null
  },

  deviceOf(user: User) {
    const device = readDevice(request, parts)
    return device?.userId === user.id ? device.id : null
  },

  async signIn(user: User) {
    await beginSession(request, {
      userId: user.id,
      signedInAt: unixSeconds(),
      ip: parts.clients.of(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT),
    })
    rememberDevice(user, request, response, parts)
  },

  awaitSecondFactor: (user: User) => beginSession(request, { pendingUserId: user.id }),

  async signOut() {
    await asPromise((done) => request.session.destroy(done))
    request.res?.clearCookie(COOKIE, { path: cookie.path, httpOnly: true, sameSite: 'strict' })
  },
})

/** The step-up of the request's session. */
export const sessionVerification = (
  request: Request,
  { sessions }: GatewayParts,
): Verification => ({
  get expiresAt() {
    return request.session.verifiedUntil ?? null
  },

  get signedInAt() {
    return request.session.signedInAt ?? null
  },

  async mark() {
    // One that was ended while its password was checked must not come back by being written.
    if (!sessions.get(request.sessionID)) {
      throw new GatewayError('unauthenticated', {
        message: 'This session was ended meanwhile. Sign in again.',
        reason: { code: 'session_ended_meanwhile' },
      })
    }
    const until = unixSeconds() + VERIFIED_SECONDS
    request.session.verifiedUntil = until
    await asPromise((done) => request.session.save(done))
    return until
  },
})
