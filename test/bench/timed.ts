const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, two) => one - two)[numbers.length >> 1] ?? 0

export interface Taken {
  time: number
  /** Processor time, which other programs on a busy machine change little. */
  processor: number
  /** The longest that a timer waited meanwhile. */
  pause: number
}

/** How long something takes. */
export async function timed(work: () => Promise<unknown>): Promise<Taken> {
  let pause = 0
  let last = performance.now()
  const look = () => {
    pause = Math.max(pause, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(look, 1)
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const time = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  look()
  clearInterval(timer)
  return { time, processor: (user + system) / 1000, pause }
}

export const shown = (name: string, times: readonly Taken[]): void => {
  const time = median(times.map((one) => one.time))
  const processor = median(times.map((one) => one.processor))
  const pause = median(times.map((one) => one.pause))
  console.log(
    `${time.toFixed(1).padStart(8)} ms${time > 100 ? ' !' : '  '} processor ${processor.toFixed(1).padStart(6)} ms, others waited ${pause.toFixed(1).padStart(6)} ms  ${name}`,
  )
}
