import { closeSync, openSync, readSync } from 'node:fs'

const buffer = Buffer.alloc(100)

/**
 * Milliseconds that this thread has run: on Linux by the processor's time, which other programs on a busy machine do
 * not change; elsewhere by the clock.
 */
function openThreadTime(): { read(): number; close(): void } {
  let file: number
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return { read: () => performance.now(), close() {} }
  }
  return {
    read() {
      readSync(file, buffer, 0, buffer.length, 0)
      return Number.parseInt(buffer.toString('latin1'), 10) / 1e6
    },
    close: () => closeSync(file),
  }
}

/** Watches the event loop until the answer is called, which gives the longest time in milliseconds of one turn. */
export function watchTurns(): () => number {
  const time = openThreadTime()
  let last = time.read()
  let longest = 0
  const look = () => {
    const now = time.read()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  return () => {
    clearInterval(timer)
    look()
    time.close()
    return longest
  }
}
