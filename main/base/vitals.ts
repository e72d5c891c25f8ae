import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { unixSeconds } from './clock.ts'

/** How late timers of the event loop came of late, in milliseconds. */
export interface LoopDelay {
  mean: number
  p99: number
  max: number
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
/** Clocks that are set right by little steps do not jump. */
const SMALLEST_JUMP = 5_000

const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION)

function read(histogram: IntervalHistogram): LoopDelay {
  if (histogram.count === 0) return { mean: 0, p99: 0, max: 0 }
  return {
    mean: late(histogram.mean),
    p99: late(histogram.percentile(99)),
    max: late(histogram.max),
  }
}

/** How this process fares: whether its event loop is held up, and whether its clock was put back. */
export class Vitals {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  readonly #timer: NodeJS.Timeout
  #lastMinute: LoopDelay = { mean: 0, p99: 0, max: 0 }
  #clockOffset = Date.now() - performance.now()
  #clockJump: ClockJump | null = null

  constructor() {
    this.#histogram.enable()
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref()
  }

  /** Delays of the last one or two minutes. */
  get loopDelay(): LoopDelay {
    const now = read(this.#histogram)
    const { mean, p99, max } = this.#lastMinute
    return {
      mean: Math.max(now.mean, mean),
      p99: Math.max(now.p99, p99),
      max: Math.max(now.max, max),
    }
  }

  /** The last one; null where there was none. */
  get clockJump(): ClockJump | null {
    this.#checkClock()
    return this.#clockJump
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #look(): void {
    this.#lastMinute = read(this.#histogram)
    this.#histogram.reset()
    this.#checkClock()
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
