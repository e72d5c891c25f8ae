import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { type ListedProxy, readProxyList } from './proxy-list.ts'

/** The system's proxy settings, scripts included; passed in by the desktop. */
export interface SystemProxySource {
  /** The proxies for a URL, as proxy auto-config lists them: `PROXY host:port; SOCKS5 host:port; DIRECT`. */
  resolve(url: string): Promise<string>
  /** Calls back when the network may be another one. */
  onChange(listener: () => void): void
}

/** Milliseconds after which the system is asked again. */
const ASK_EVERY = 60_000
/** Milliseconds for an answer: a script may have to be loaded first. One that never comes must not hold up all others. */
const ANSWER_LIMIT = 30_000
/** Origins whose proxies are kept; what was asked for longest ago goes first. */
const MOST_ORIGINS = 200
/** Milliseconds for which a proxy that could not be used comes last. */
const ASIDE = 300_000

interface Answer {
  list: string
  proxies: readonly ListedProxy[]
}

const notKnown = (problem: string, why: Reason, cause?: unknown): GatewayError =>
  new GatewayError('upstream_unreachable', {
    message: `The system's proxy settings ${problem} Check them, or switch UseSystemProxy off.`,
    reason: { code: 'system_proxies_wrong', why },
    cause,
  })

/**
 * The proxies that the system names for each origin. They are kept, and asked for again every minute and when the
 * network may be another one: a change gives another `version`.
 */
export class SystemProxies {
  readonly #source: SystemProxySource
  readonly #answers = new Map<string, Promise<Answer>>()
  /** By a proxy's name, the time (of `performance`) until which it comes last. */
  readonly #aside = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #version = 0
  #isAsking = false
  #isStopped = false

  constructor(source: SystemProxySource) {
    this.#source = source
    this.#timer = setInterval(() => void this.#askAgain(), ASK_EVERY).unref()
    source.onChange(() => this.#forget())
  }

  /** Connections made under an older version may use proxies that no longer apply. */
  get version(): number {
    return this.#version
  }

  /** The proxies for an origin; at least one. Rejects with `upstream_unreachable`. */
  async find(origin: string): Promise<readonly ListedProxy[]> {
    const asked = this.#answers.get(origin) ?? this.#ask(origin)
    this.#answers.delete(origin)
    this.#answers.set(origin, asked)
    for (const old of this.#answers.keys()) {
      if (this.#answers.size <= MOST_ORIGINS) break
      this.#answers.delete(old)
    }
    try {
      return this.#inOrder((await asked).proxies)
    } catch (error) {
      if (this.#answers.get(origin) === asked) this.#answers.delete(origin)
      throw error
    }
  }

  /** A proxy that could not be used comes last for a while. */
  setAside(proxy: string): void {
    this.#aside.set(proxy, performance.now() + ASIDE)
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  #inOrder(proxies: readonly ListedProxy[]): readonly ListedProxy[] {
    const now = performance.now()
    const isAside = (proxy: ListedProxy): boolean =>
      proxy !== null && (this.#aside.get(proxy.name) ?? 0) > now
    return [...proxies.filter((proxy) => !isAside(proxy)), ...proxies.filter(isAside)]
  }

  async #ask(origin: string): Promise<Answer> {
    let list: string
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_resolve, reject) => {
        const error = new Error(`no answer within ${ANSWER_LIMIT / 1000} seconds`)
        timer = setTimeout(() => reject(error), ANSWER_LIMIT).unref()
      })
      list = await Promise.race([this.#source.resolve(`${origin}/`), late])
    } catch (cause) {
      throw notKnown('could not be read.', { code: 'system_proxies_unread' }, cause)
    } finally {
      clearTimeout(timer)
    }
    const proxies = readProxyList(list)
    if (proxies.length > 0) return { list, proxies }
    if (list.trim() === '')
      throw notKnown('name neither a proxy nor a direct connection for the upstream.', {
        code: 'system_proxies_none',
      })
    throw notKnown(
      'name only proxies of kinds that are not supported (supported: HTTP, HTTPS, SOCKS5).',
      { code: 'system_proxies_unsupported' },
    )
  }

  /** Where the system does not answer, the last answer stays. */
  async #askAgain(): Promise<void> {
    // A script that is slow to load is not asked twice at once.
    if (this.#isAsking) return
    this.#isAsking = true
    for (const [origin, asked] of [...this.#answers]) {
      const [before, now] = await Promise.allSettled([asked, this.#ask(origin)])
      if (this.#isStopped || this.#answers.get(origin) !== asked) continue
      if (now.status === 'rejected') continue
      this.#answers.set(origin, Promise.resolve(now.value))
      if (before.status === 'fulfilled' && before.value.list !== now.value.list) this.#version++
    }
    this.#isAsking = false
  }

  #forget(): void {
    this.#answers.clear()
    this.#aside.clear()
    this.#version++
  }
}
