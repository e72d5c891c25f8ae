import type { Log } from '../../base/log/log.ts'
import type { Sentence } from '../../base/reason.ts'
import { FetchFailure } from '../../upstream/fetch-failure.ts'
import type { Notice } from './notice.ts'

interface Job {
  userId: number
  notice: Notice
  /** Times that it was tried. */
  tries: number
}

/** Work that the queue hands out; both take a user's id. */
export interface NoticeSender {
  /** Rejects with a FetchFailure where it cannot be delivered. */
  send(userId: number, notice: Notice, signal: AbortSignal): Promise<void>
  /** Tells the user, in the console, why notices do not arrive. */
  failed(userId: number, sentence: Sentence): void
}

const MOST_WAITING = 200
const AT_ONCE = 4
/** Notices for one user within an hour. */
const MOST_AN_HOUR = 30
const HOUR = 3_600_000
/** Milliseconds before the second try, and before the third. */
const WAITS = [2_000, 20_000]

/**
 * Notices on their way to their users. Nothing waits for it: what is more than the queue holds, and more than
 * a user can want within an hour, is left out and logged.
 */
export class NoticeQueue {
  readonly #sender: NoticeSender
  readonly #log: Log
  readonly #waiting: Job[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  /** When each user's last notices came, in milliseconds of the monotonic clock. */
  readonly #recent = new Map<number, number[]>()
  /** Users who were told that their notices do not arrive. */
  readonly #failing = new Set<number>()
  readonly #controller = new AbortController()
  #sending = 0

  constructor(sender: NoticeSender, log: Log) {
    this.#sender = sender
    this.#log = log
  }

  add(userId: number, notice: Notice): void {
    if (this.#controller.signal.aborted) return
    const now = performance.now()
    const recent = (this.#recent.get(userId) ?? []).filter((time) => now - time < HOUR)
    const isFull = this.#waiting.length + this.#timers.size >= MOST_WAITING
    if (isFull || recent.length >= MOST_AN_HOUR) {
      this.#log.warn({ user: userId, notice: notice.type }, 'too many notices: one was dropped')
      return
    }
    this.#recent.set(userId, [...recent, now])
    this.#waiting.push({ userId, notice, tries: 0 })
    this.#next()
  }

  /** Ends what is under way; what waits is left out. */
  stop(): void {
    this.#controller.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#waiting.length = 0
  }

  #next(): void {
    while (this.#sending < AT_ONCE) {
      const job = this.#waiting.shift()
      if (!job) return
      this.#sending++
      void this.#try(job).finally(() => {
        this.#sending--
        this.#next()
      })
    }
  }

  async #try(job: Job): Promise<void> {
    const { signal } = this.#controller
    job.tries++
    try {
      await this.#sender.send(job.userId, job.notice, signal)
      this.#failing.delete(job.userId)
    } catch (error) {
      if (signal.aborted) return
      const wait = WAITS[job.tries - 1]
      if (error instanceof FetchFailure && error.isPassing && wait !== undefined) {
        this.#tryAgain(job, wait)
      } else this.#giveUp(job, error)
    }
  }

  #tryAgain(job: Job, wait: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#waiting.push(job)
      this.#next()
    }, wait).unref()
    this.#timers.add(timer)
  }

  #giveUp({ userId, notice, tries }: Job, error: unknown): void {
    const isOurs = !(error instanceof FetchFailure)
    const { message, reason }: Sentence =
      error instanceof FetchFailure
        ? error
        : { message: 'the gateway failed', reason: { code: 'gateway_itself_failed' } }
    const facts = {
      user: userId,
      notice: notice.type,
      tries,
      reason: message,
      ...(isOurs && { err: error }),
    }
    this.#log.warn(facts, 'a notice was not delivered')
    if (this.#failing.has(userId)) return
    this.#failing.add(userId)
    this.#sender.failed(userId, { message, reason })
  }
}
