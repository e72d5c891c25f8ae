import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { unixSeconds } from './clock.ts'

/** How late timers of the event loop came of late, in milliseconds. */
export interface LoopDelay {
  mean: number
  p99: number
  max: number
  /** The process used too little processor time to have caused the longest delay: the machine was busy. */
  isStarved: boolean
}

/** The clock of the machine was put back: what is counted by the day may then count twice or not at all. */
export interface ClockJump {
  /** Unix seconds, of the clock after it. */
  at: number
  /** How far back, in seconds. */
  seconds: number
}

/** Milliseconds between two looks; also how much later than that a timer's plain interval is. */
const RESOLUTION = 50
const INTERVAL = 60_000
/** Milliseconds after a sleep in which the timers from before it fire. */
const AFTER_SLEEP = 1_000
/** Clocks that are set right by little steps do not jump. */
const SMALLEST_JUMP = 5_000

const NO_DELAY: LoopDelay = { mean: 0, p99: 0, max: 0, isStarved: false }

const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION)

/** `used`: processor time of the process since the histogram began. */
function read(histogram: IntervalHistogram, used: NodeJS.CpuUsage): LoopDelay {
  if (histogram.count === 0) return NO_DELAY
  const max = late(histogram.max)
  return {
    mean: late(histogram.mean),
    p99: late(histogram.percentile(99)),
    max,
    isStarved: (used.user + used.system) / 1000 < max / 2,
  }
}

/** How this process fares: whether its event loop is held up, and whether its clock was put back. */
export class Vitals {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  readonly #timer: NodeJS.Timeout
  #usedBefore = process.cpuUsage()
  #lastMinute = NO_DELAY
  #clockOffset = Date.now() - performance.now()
  #clockJump: ClockJump | null = null

  constructor() {
    this.#histogram.enable()
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref()
  }

  /** Delays of the last one or two minutes. */
  get loopDelay(): LoopDelay {
    const now = this.#delay()
    const before = this.#lastMinute
    const { max, isStarved } = now.max > before.max ? now : before
    return {
      mean: Math.max(now.mean, before.mean),
      p99: Math.max(now.p99, before.p99),
      max,
      isStarved,
    }
  }

  /** The last one; null where there was none. */
  get clockJump(): ClockJump | null {
    this.#checkClock()
    return this.#clockJump
  }

  /**
   * For when the computer was asleep. The clocks of macOS and Windows go on meanwhile, so timers are late by all of it;
   * they may not have fired yet.
   */
  forgetSleep(): void {
    setTimeout(() => {
      this.#lastMinute = NO_DELAY
      this.#begin()
    }, AFTER_SLEEP).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #delay(): LoopDelay {
    return read(this.#histogram, process.cpuUsage(this.#usedBefore))
  }

  #look(): void {
    this.#lastMinute = this.#delay()
    this.#begin()
    this.#checkClock()
  }

  #begin(): void {
    this.#histogram.reset()
    this.#usedBefore = process.cpuUsage()
  }

  /** Forward it also goes while a machine sleeps, and no harm is in that. */
  #checkClock(): void {
    const offset = Date.now() - performance.now()
    const change = offset - this.#clockOffset
    this.#clockOffset = offset
    if (change < -SMALLEST_JUMP)
      this.#clockJump = { at: unixSeconds(), seconds: Math.round(-change / 1000) }
  }
}
