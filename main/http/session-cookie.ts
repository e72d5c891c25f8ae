import type { Request, RequestHandler } from 'express'
import session, { type SessionData } from 'express-session'
import type { GatewayParts } from '../manage/gateway-parts.ts'
import type { SessionControl } from '../manage/operation.ts'
import type { Sessions } from '../store/sessions.ts'
import type { User } from '../store/users.ts'

declare module 'express-session' {
  interface SessionData {
    userId?: number
  }
}

const COOKIE = 'session'
const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000

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
      cookie: { ...cookie, originalMaxAge: THIRTY_DAYS, expires },
      userId: found.userId,
    })
  }

  override set(id: string, { cookie, userId = 0 }: SessionData, done?: Done): void {
    const end = cookie.expires ? new Date(cookie.expires).getTime() : Date.now() + THIRTY_DAYS
    run(done, () => this.#sessions.put({ id, userId, data: {}, expiresAt: Math.floor(end / 1000) }))
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
export const sessionCookie = ({ sessions, sessionSecret }: GatewayParts): RequestHandler =>
  session({
    name: COOKIE,
    secret: sessionSecret,
    store: new SessionStore(sessions),
    resave: false,
    saveUninitialized: false,
    cookie,
  })

const asPromise = (act: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())))

/** The id of the user whose session the request belongs to; 0 = nobody's. */
export const sessionUserId = (request: Request): number => request.session.userId ?? 0

/** What operations may do with the request's session. */
export const sessionControl = (request: Request): SessionControl => ({
  get id() {
    return request.sessionID
  },

  async signIn(user: User) {
    // A new id, so that one which somebody planted before the login is worth nothing after it.
    await asPromise((done) => request.session.regenerate(done))
    request.session.userId = user.id
    await asPromise((done) => request.session.save(done))
  },

  async signOut() {
    await asPromise((done) => request.session.destroy(done))
    request.res?.clearCookie(COOKIE, { path: cookie.path, httpOnly: true, sameSite: 'strict' })
  },
})
