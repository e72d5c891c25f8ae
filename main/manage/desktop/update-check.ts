import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Log } from '../../base/log/log.ts'
import { redact } from '../../base/log/redact.ts'
import type { ConnectionServices } from '../../relay/channel/channel-connection.ts'
import type { GatewayEvents } from '../server/gateway-events.ts'
import { type OfferedVersion, readFeed } from './read-feed.ts'
import { compareVersions, readVersion } from './semantic-version.ts'

/** Seconds from one look at the feed to the next. */
const DAY = 86_400
/** Milliseconds: a machine that slept does not wait another day, and a new feed not until tomorrow. */
const LOOK = 60_000

/** Result of the last check. */
export interface UpdateState {
  /** Unix seconds; null = not looked yet. */
  checkedAt: number | null
  /** Why the last look failed. */
  failure: string | null
  /** A version above the running one; what an earlier look found stays when a later one fails. */
  newer: OfferedVersion | null
}

const nothing: UpdateState = { checkedAt: null, failure: null, newer: null }

/** Is it above what runs? A release is never told of a version before its release. */
export function isNewer(offered: string, running: string): boolean {
  const [one, other] = [readVersion(offered), readVersion(running)]
  if (!one || !other) return false
  if (one.prerelease.length > 0 && other.prerelease.length === 0) return false
  return compareVersions(one, other) > 0
}

interface UpdateCheckParts extends ConnectionServices {
  events: GatewayEvents
  log: Log
  version: string
}

/** Looks for a newer version at the feed of the option `DesktopUpdateFeed`: it tells, and installs nothing. */
export class UpdateCheck {
  readonly #parts: UpdateCheckParts
  readonly #stopped = new AbortController()
  #state = nothing
  /** The feed that the state is of. */
  #feed = ''
  #running: Promise<void> | null = null

  constructor(parts: UpdateCheckParts) {
    this.#parts = parts
  }

  get state(): UpdateState {
    return this.#feed === this.#parts.settings.current.DesktopUpdateFeed ? this.#state : nothing
  }

  /** Looks now; one look at a time. Throws `invalid_params` where there is no feed. */
  async run(): Promise<UpdateState> {
    if (this.#parts.settings.current.DesktopUpdateFeed === '') {
      throw new GatewayError('invalid_params', {
        message: 'There is no update feed. Enter its address first.',
        reason: { code: 'feed_missing' },
      })
    }
    await this.#lookOnce()
    const feed = this.#parts.settings.current.DesktopUpdateFeed
    // The look that was under way was at the feed of before.
    if (feed !== '' && feed !== this.#feed) await this.#lookOnce()
    return this.state
  }

  #lookOnce(): Promise<void> {
    this.#running ??= this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Looks at once, and once a day from then on. */
  schedule(): () => void {
    const lookWhenDue = () => {
      if (this.#parts.settings.current.DesktopUpdateFeed === '') return
      const { checkedAt } = this.state
      const age = checkedAt === null ? DAY : unixSeconds() - checkedAt
      // Negative after the clock was set back: it's due.
      if (age < 0 || age >= DAY) void this.run()
    }
    lookWhenDue()
    const timer = setInterval(lookWhenDue, LOOK).unref()
    return () => {
      clearInterval(timer)
      this.#stopped.abort()
    }
  }

  async #look(): Promise<void> {
    const { settings, events, log, version } = this.#parts
    const feed = settings.current.DesktopUpdateFeed
    const before = this.state
    const { signal } = this.#stopped
    try {
      const offered = await readFeed(feed, this.#parts, signal)
      const newer = isNewer(offered.version, version) ? offered : null
      this.#state = { checkedAt: unixSeconds(), failure: null, newer }
      if (newer && newer.version !== before.newer?.version) {
        log.info({ version: newer.version }, 'a newer version is available')
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof GatewayError)) log.error({ err: error }, 'the update check failed')
      const failure = error instanceof GatewayError ? redact(error.message) : 'The gateway failed.'
      log.info({ failure }, 'the update feed could not be read')
      this.#state = { ...before, checkedAt: unixSeconds(), failure }
    }
    this.#feed = feed
    events.emit('server')
  }
}
