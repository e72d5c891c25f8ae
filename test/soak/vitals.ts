import { readdirSync, readFileSync } from 'node:fs'

const MEBIBYTE = 1024 * 1024

interface Sample {
  /** Calls that were over by then. */
  calls: number
  /** Bytes of memory, without what captures hold: these fill their share of it for minutes. */
  held: number
  files: number
  /** Milliseconds until the gateway has answered something small. */
  latency: number
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

/** Open files and sockets of a process. */
export const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** How a process fares while it is called: what it holds, and whether it still answers. */
export class Vitals {
  readonly #samples: Sample[] = []
  readonly #pid: number
  readonly #url: string
  readonly #captured: () => Promise<number>
  readonly #calls: () => number
  readonly #timer: NodeJS.Timeout
  #isAsking = false

  /** `url` is asked once a second, as is `captured`: the bytes that captures hold. `calls` says how many are over. */
  constructor(
    pid: number,
    url: string,
    captured: () => Promise<number>,
    calls: () => number,
    every = 1000,
  ) {
    this.#pid = pid
    this.#url = url
    this.#captured = captured
    this.#calls = calls
    this.#timer = setInterval(() => void this.#look(), every)
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const began = performance.now()
    let captured: number
    let latency: number
    try {
      await (await fetch(this.#url)).text()
      latency = performance.now() - began
      captured = await this.#captured()
    } finally {
      this.#isAsking = false
    }
    this.#samples.push({
      calls: this.#calls(),
      held: residentOf(this.#pid) - captured,
      files: filesOf(this.#pid),
      latency,
    })
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The least memory in a part of the calls, from 0 to 1: the collector lets some pile up in between. */
  #least(from: number, to: number): number {
    const total = this.#samples.at(-1)?.calls ?? 0
    const part = this.#samples.filter(({ calls }) => calls >= total * from && calls < total * to)
    return Math.min(...part.map(({ held }) => held))
  }

  /** Bytes that the least of the last quarter is above that of the second. */
  get growth(): number {
    return this.#least(0.75, Infinity) - this.#least(0.25, 0.5)
  }

  get longestLatency(): number {
    return Math.max(0, ...this.#samples.map(({ latency }) => latency))
  }

  /** One line for people. */
  summary(): string {
    const quarters = [0, 0.25, 0.5, 0.75].map((from) =>
      Math.round(this.#least(from, from === 0.75 ? Infinity : from + 0.25) / MEBIBYTE),
    )
    const files = Math.max(0, ...this.#samples.map((one) => one.files))
    return `memory without captures at least ${quarters.join(', ')} MiB in the quarters; at most ${files} open files; slowest status ${Math.round(this.longestLatency)} ms`
  }
}
