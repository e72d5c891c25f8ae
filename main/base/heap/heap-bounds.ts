import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of V8's young generation, both halves of it, with which calls are served as fast as with more. */
const YOUNG = 16 * 1024 * 1024
/** Milliseconds between two looks at it, which take some microseconds. */
const INTERVAL = 200
/** Percent of what is in use that may be added to it before V8 looks through all of the heap. */
const GROWTH = 75
/** V8 works it out by itself. */
const UNBOUND = 0

let isBound = false
/** Threads that have a large body in hand. */
let fillers = 0

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

function setGrowth(): void {
  if (isBound) setFlagsFromString(`--heap-growing-percent=${fillers > 0 ? UNBOUND : GROWTH}`)
}

function steerYoungGeneration(): void {
  let mayGrow: boolean | null = null
  const look = () => {
    const isSmall = youngSize() < YOUNG
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  look()
  setInterval(look, INTERVAL).unref()
}

/**
 * Keeps V8's heap as large as calls need it and not much larger.
 *
 * The young generation under load doubles up to 32 MB and more, which hundreds of open streams fill and no
 * processor cache holds; 16 MB are enough. It must be able to grow up to there at any time, for V8 makes it
 * small when nothing happens for a while: with one of 1 MB the next calls take twice the processor time.
 *
 * How far the rest may grow V8 works out from how fast it fills. Open streams let it grow fourfold, by tens of
 * megabytes that nobody uses. The bytes of bodies that pass through count as well: where many long ones do, it
 * looks through all of the heap several times a second, which takes a quarter of the processor time.
 *
 * After each of these looks V8's four helper threads would sweep the heap. It's so small that sharing the work costs
 * more than the work itself: with bodies of 1 MB a third of all processor time. So the main thread sweeps.
 */
export function boundHeap(): void {
  isBound = true
  setFlagsFromString('--no-concurrent-sweeping')
  setGrowth()
  steerYoungGeneration()
}

/**
 * While a thread turns a large body into objects, nearly all that its heap holds is in use: to look through it often
 * finds nothing. The bound is the whole process's, so that it is off until `work` is done.
 */
export async function fillingHeap<Result>(work: Promise<Result>): Promise<Result> {
  fillers++
  setGrowth()
  try {
    return await work
  } finally {
    fillers--
    setGrowth()
  }
}
