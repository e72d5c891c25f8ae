import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { unixSeconds } from '../../base/clock.ts'
import { randomText } from '../../base/ids.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { User } from '../../store/records/users.ts'

/** A browser in which a user has signed in before. */
export interface KnownDevice {
  userId: number
  /** Names the device; it opens nothing. */
  id: string
}

const NAME = 'switchyard_device'
/** Logins need it, and what the page for them reads before. */
const PATH = '/api'
const ONE_YEAR = 365 * 24 * 60 * 60
const ID_LENGTH = 16

type Parts = Pick<GatewayParts, 'users' | 'sessionSecrets' | 'clients'>

/** With each of the secrets; the first is the one to sign with. */
const signatures = (fields: string, { deviceEpoch }: User, { sessionSecrets }: Parts): Buffer[] =>
  sessionSecrets.map((secret) =>
    createHmac('sha256', secret).update(`device ${fields} ${deviceEpoch}`).digest(),
  )

/**
 * The device that the request's cookie stands for; null for none, a forged one, one of more than a year, and
 * one from before its user changed the password or ended all sessions.
 */
export function readDevice({ headers }: IncomingMessage, parts: Parts): KnownDevice | null {
  const [, fields = '', userId, since, id = '', signature = ''] =
    new RegExp(`(?:^|;\\s*)${NAME}=((\\d{1,10})\\.(\\d{1,12})\\.(\\w+))\\.([\\w-]+)`).exec(
      headers.cookie ?? '',
    ) ?? []
  const user = parts.users.byId(Number(userId))
  const age = unixSeconds() - Number(since)
  if (!user || !(age >= 0 && age < ONE_YEAR)) return null
  const sent = Buffer.from(signature, 'base64url')
  const isRight = signatures(fields, user, parts).some(
    (right) => sent.length === right.length && timingSafeEqual(sent, right),
  )
  if (!isRight) return null
  return { userId: user.id, id }
}

const wanted = new WeakMap<ServerResponse, string>()

/** Has the answer set the cookie that makes this browser a known device of the user. */
export function rememberDevice(
  user: User,
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
): void {
  const fields = `${user.id}.${unixSeconds()}.${randomText(ID_LENGTH)}`
  const value = `${fields}.${signatures(fields, user, parts)[0]?.toString('base64url')}`
  const secure = parts.clients.isSecure(request) ? '; Secure' : ''
  wanted.set(
    response,
    `${NAME}=${value}; Path=${PATH}; Max-Age=${ONE_YEAR}; HttpOnly; SameSite=Strict${secure}`,
  )
}

/**
 * Puts the device's cookie behind the session's: scripts that know only one cookie take the first. So it must be
 * called before express-session has its own say on `writeHead`.
 */
export function setDeviceCookieLast(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    const cookie = wanted.get(response)
    if (cookie !== undefined) {
      wanted.delete(response)
      response.appendHeader('Set-Cookie', cookie)
    }
    return Reflect.apply(writeHead, this, head)
  } as ServerResponse['writeHead']
}
