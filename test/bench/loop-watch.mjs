// Loaded into the gateway's process (--import) by event-loop.mjs: tells its parent, when asked, how long the event
// loop was held up since it was last asked: by the clock, and by the processor time that its thread took, which
// other programs on a busy machine do not change. The latter is told by Linux only.
import { closeSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

const buffer = Buffer.alloc(100)
let file = null
try {
  file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
} catch {
  // No Linux.
}

/** Milliseconds that this thread has run. */
function ran() {
  const length = readSync(file, buffer, 0, buffer.length, 0)
  return Number(buffer.toString('latin1', 0, buffer.indexOf(0x20)).slice(0, length)) / 1e6
}

let last = file === null ? 0 : ran()
let busiest = 0
if (file !== null) {
  setInterval(() => {
    const now = ran()
    busiest = Math.max(busiest, now - last)
    last = now
  }, 1).unref()
  process.on('exit', () => closeSync(file))
}

process.on('message', () => {
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ longest: delays.max / 1e6, busiest, heapUsed, rss })
  delays.reset()
  busiest = 0
})
process.channel?.unref()
