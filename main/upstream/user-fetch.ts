import { isIP } from 'node:net'
import { Cancellation } from '../base/cancellation.ts'
import { GatewayError } from '../base/errors.ts'
import { hostOf } from '../base/net/host-of.ts'
import { isForbiddenAddress, isPublicAddress } from '../base/net/public-address.ts'
import type { Sentence } from '../base/reason.ts'
import { gather, type UpstreamBody } from './body.ts'
import { usualLimits } from './connect/time-limits.ts'
import { FetchFailure, failureOf, notPublic } from './fetch-failure.ts'
import type { UpstreamAnswer } from './request.ts'
import { sendUpstream } from './send-upstream.ts'

/** Who asked for a fetch: only the owner may name addresses of the private network. */
export type Audience = 'anyone' | 'owner'

/**
 * The addresses that fetches may go to: public ones; for the owner those of this machine and its networks as
 * well, but no link-local one, where clouds keep credentials.
 */
export const mayBeAsked: FetchRules['mayAsk'] = (address, audience) =>
  audience === 'owner' ? !isForbiddenAddress(address) : isPublicAddress(address)

/** Rules of what may be fetched; made once at the start. */
export interface FetchRules {
  /** May this address be asked, which a URL names or its host's name leads to? */
  mayAsk(address: string, audience: Audience): boolean
  /** The ports that may be asked; empty = any. */
  ports(): readonly number[]
  /** Does the URL lead to the gateway itself, as far as that can be said without looking a name up? */
  leadsHere(url: URL): boolean
  ownPort(): number
  isOwnAddress(address: string): boolean
}

export interface UserRequest {
  /** As the user wrote it. */
  url: string
  audience: Audience
  headers?: Readonly<Record<string, string>>
  /** Makes it a POST. */
  body?: Buffer
  /** Milliseconds for all of it, looking names up and redirects included. */
  timeLimit: number
  /** Most bytes of the answer, as they are after unpacking; 0 = it is not read. */
  sizeLimit: number
  /** Bytes that several fetches may have together; less by what this one takes. */
  shared?: { left: number }
  /** Looks at the answer's media type before the rest is read: what is wrong with it, or null. */
  wrongType?(contentType: string): string | null
  signal?: AbortSignal
}

export interface FetchedFile {
  /** As the header has it, or empty. */
  contentType: string
  bytes: Buffer
}

const MOST_REDIRECTS = 3

const portOf = ({ port, protocol }: URL): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

/** Reads a body up to a size; a longer one is cut off unread. */
function read(
  body: UpstreamBody,
  { sizeLimit, shared }: Pick<UserRequest, 'sizeLimit' | 'shared'>,
): Promise<Buffer> {
  let size = 0
  return gather(body, ({ length }) => {
    size += length
    if (shared) shared.left -= length
    if (shared && shared.left < 0) return tooMuch()
    return size > sizeLimit ? tooLarge(sizeLimit) : null
  })
}

const tooLarge = (limit: number): FetchFailure =>
  new FetchFailure({
    message: `it is larger than ${limit / 1_000_000} MB`,
    reason: { code: 'fetch_large', megabytes: limit / 1_000_000 },
  })

const tooMuch = (): FetchFailure =>
  new FetchFailure({
    message: 'the files of one call are too large together',
    reason: { code: 'fetch_all_large' },
  })

const isRedirect = ({ status }: UpstreamAnswer): boolean =>
  [301, 302, 303, 307, 308].includes(status)

const textOf = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? header[0] : header) ?? ''

/**
 * Fetches what users name by URL: pictures, documents, receivers of notices (management-api §14). Every address
 * that a name leads to is checked, and the connection goes to one that was; so after each redirect. No
 * cookies, keys or referrers go along, and no proxy of a channel's is used.
 */
export class UserFetch {
  readonly #rules: FetchRules
  /** One function for each kind of check, since connections are shared by it. */
  readonly #checks: Readonly<Record<Audience, { elsewhere: Check; ownPort: Check }>>

  constructor(rules: FetchRules) {
    this.#rules = rules
    const checksOf = (audience: Audience) => ({
      elsewhere: this.#check(audience, false),
      ownPort: this.#check(audience, true),
    })
    this.#checks = { anyone: checksOf('anyone'), owner: checksOf('owner') }
  }

  /**
   * The URL that may be asked, as far as that can be said without looking a name up. Throws a FetchFailure
   * for one that may not.
   */
  check(typed: string, audience: Audience): URL {
    const url = URL.canParse(typed) ? new URL(typed) : null
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new FetchFailure({
        message: 'it is not an http:// or https:// address',
        reason: { code: 'fetch_no_web_address' },
      })
    }
    if (url.username !== '' || url.password !== '') {
      throw new FetchFailure({
        message: 'an address with a user name or password is not allowed',
        reason: { code: 'fetch_credentials' },
      })
    }
    const ports = this.#rules.ports()
    const port = portOf(url)
    if (ports.length > 0 && !ports.includes(port)) {
      throw new FetchFailure({
        message: `port ${port} is not allowed; use one of ${ports.join(', ')}`,
        reason: { code: 'fetch_port', port, ports: ports.join(', ') },
      })
    }
    if (this.#rules.leadsHere(url)) throw notPublic(url.hostname)
    // A host that is an address is connected to without being looked up.
    const host = hostOf(url)
    if (isIP(host) !== 0) this.#checkOf(url, audience)(host, url.hostname)
    return url
  }

  /** Rejects with a FetchFailure, or with the signal's reason. Anything but a status of 200 to 299 is a failure. */
  async fetch(request: UserRequest): Promise<FetchedFile> {
    const { signal, timeLimit } = request
    signal?.throwIfAborted()
    const cancellation = new Cancellation()
    let timer: NodeJS.Timeout | undefined
    let onAbort: () => void = () => undefined
    const ended = new Promise<never>((_resolve, reject) => {
      const end = (reason: unknown) => {
        // The caller hears of it at once, even while a connection is being made.
        reject(reason)
        cancellation.cancel(new GatewayError('client_gone', { message: 'The fetch has ended.' }))
      }
      onAbort = () => end(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      const late: Sentence = {
        message: `it took longer than ${timeLimit / 1000} seconds`,
        reason: { code: 'fetch_late', seconds: timeLimit / 1000 },
      }
      timer = setTimeout(() => end(new FetchFailure(late, { isPassing: true })), timeLimit)
    })
    try {
      return await Promise.race([ended, this.#follow(request, cancellation)])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #follow(request: UserRequest, cancellation: Cancellation): Promise<FetchedFile> {
    const { audience, body } = request
    let url = this.check(request.url, audience)
    for (let redirects = 0; ; redirects++) {
      const answer = await sendUpstream({
        method: body ? 'POST' : 'GET',
        url: url.origin + url.pathname + url.search,
        headers: {
          'user-agent': 'Switchyard',
          accept: '*/*',
          ...request.headers,
          'accept-encoding': 'identity',
        },
        ...(body && { body }),
        cancellation,
        checkAddress: this.#checkOf(url, audience),
        // The timer above is the only limit: of two equal ones, either could be told.
        limits: { ...usualLimits, idle: Infinity },
      }).catch((error: unknown) => {
        throw failureOf(error, url.hostname)
      })
      if (!isRedirect(answer)) return this.#take(answer, url, request)
      answer.body.abort()
      url = this.#next(answer, url, request, redirects)
    }
  }

  /** Where a redirect leads; throws where it is not followed. */
  #next(answer: UpstreamAnswer, url: URL, { audience, body }: UserRequest, redirects: number): URL {
    const location = textOf(answer.headers.location)
    if (body)
      throw new FetchFailure({
        message: `${url.hostname} redirects: enter the address that it leads to`,
        reason: { code: 'fetch_redirects', host: url.hostname },
      })
    if (redirects === MOST_REDIRECTS) {
      throw new FetchFailure({
        message: `${url.hostname} redirects more than ${MOST_REDIRECTS} times`,
        reason: { code: 'fetch_many_redirects', host: url.hostname, most: MOST_REDIRECTS },
      })
    }
    if (!URL.canParse(location, url.href)) {
      throw new FetchFailure({
        message: `${url.hostname} redirects to no address`,
        reason: { code: 'fetch_redirects_nowhere', host: url.hostname },
      })
    }
    const next = new URL(location, url.href)
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new FetchFailure({
        message: `${url.hostname} redirects from https to http`,
        reason: { code: 'fetch_redirects_plain', host: url.hostname },
      })
    }
    return this.check(next.href, audience)
  }

  async #take(
    { status, headers, body }: UpstreamAnswer,
    url: URL,
    request: UserRequest,
  ): Promise<FetchedFile> {
    const { sizeLimit } = request
    const contentType = textOf(headers['content-type'])
    try {
      if (status < 200 || status > 299) {
        const isPassing = status >= 500 || status === 429 || status === 408
        throw new FetchFailure(
          {
            message: `${url.hostname} answered ${status}`,
            reason: { code: 'fetch_status', host: url.hostname, status },
          },
          { isPassing },
        )
      }
      const wrong = request.wrongType?.(contentType)
      if (wrong)
        throw new FetchFailure({
          message: wrong,
          reason: { code: 'fetch_wrong_type', problem: wrong },
        })
      if (sizeLimit === 0) return { contentType, bytes: Buffer.alloc(0) }
      if (Number(headers['content-length']) > sizeLimit) throw tooLarge(sizeLimit)
      return { contentType, bytes: await read(body, request) }
    } catch (error) {
      throw failureOf(error, url.hostname, 'fetch_cut')
    } finally {
      body.abort()
    }
  }

  #checkOf(url: URL, audience: Audience): Check {
    const { elsewhere, ownPort } = this.#checks[audience]
    return portOf(url) === this.#rules.ownPort() ? ownPort : elsewhere
  }

  #check(audience: Audience, isOwnPort: boolean): Check {
    return (address, host) => {
      const isOwn = isOwnPort && this.#rules.isOwnAddress(address)
      if (isOwn || !this.#rules.mayAsk(address, audience)) throw notPublic(host)
    }
  }
}

type Check = (address: string, host: string) => void
