import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of V8's young generation, both halves of it, with which calls are served as fast as with more. */
const ENOUGH = 16 * 1024 * 1024
/** Milliseconds between two looks, which take some microseconds. */
const INTERVAL = 200

const size = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/**
 * Keeps V8's young generation from growing beyond 16 MB. Under load V8 doubles it up to twice as much and more,
 * which hundreds of open streams fill and no processor cache holds. It must be able to grow up to there
 * at any time, for V8 makes it small when nothing happens for a while: with one of 1 MB the next calls
 * take twice the processor time.
 */
export function boundYoungGeneration(): void {
  let mayGrow: boolean | null = null
  const look = () => {
    const isSmall = size() < ENOUGH
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  look()
  setInterval(look, INTERVAL).unref()
}
