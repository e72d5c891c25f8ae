import { fileURLToPath } from 'node:url'
import { startConsoleOverHttp } from '../support/gateway/console-over-http.ts'

/** Columns, tokens a second in each, and seconds. */
const COLUMNS = 4
const RATE = 100
const SECONDS = Number(process.env.SECONDS ?? 60)

const words = [
  'Streams ',
  'of ',
  '**tokens** ',
  'come ',
  'side ',
  'by ',
  'side, ',
  '`code` ',
  'too. ',
]

/** A reply of paragraphs, lists and code, as models write. */
function tokenAt(index: number): string {
  if (index % 400 === 399) return '\n\n```ts\nconst answer = 42\n```\n\n'
  if (index % 120 === 119) return '\n\n- an item\n- another\n\n'
  if (index % 60 === 59) return '\n\n'
  return words[index % words.length] ?? ''
}

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

interface Measure {
  longest: number
  long: number
  frames: number
}

/**
 * Milliseconds of a frame; and how often the page may hold what a fresh one needs for the same text, since React keeps
 * the last two renderings, with bytes for code that became warm.
 */
const MOST_FRAME = 50
const MOST_TIMES = 1.5
const WARM = 4_000_000

/**
 * Four columns that stream for a minute: the longest task and frame of the page, and its heap. False where a frame was
 * too long, the page keeps more of the text than it has to, or Stop left a call open at the vendor.
 */
export async function benchPlayground(): Promise<boolean> {
  const over = await startConsoleOverHttp()
  try {
    const { page } = await over.open('/playground')
    for (let more = 1; more < COLUMNS; more++) {
      await page.getByRole('button', { name: 'Add column' }).click()
    }
    const chunks = Array.from({ length: RATE * SECONDS }, (_, index) => piece(tokenAt(index)))
    const reply = { chunks, pause: 1000 / RATE, ending: 'hang' as const }
    over.pair.upstream.script(...Array.from({ length: COLUMNS }, () => reply))
    await page.getByLabel('Message').fill('Write for a minute')
    await page.keyboard.press('Enter')
    await page.getByText('Streams').nth(COLUMNS).waitFor()
    await page.evaluate(`{
      const seen = { tasks: [], frames: [] }
      globalThis.seen = seen
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.tasks.push(duration)
      }).observe({ type: 'longtask' })
      let last = performance.now()
      const frame = (now) => {
        seen.frames.push(now - last)
        last = now
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    }`)
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('HeapProfiler.enable')
    // Of the processor, so that a busy machine doesn't count.
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const taskSeconds = async () => {
      const { metrics } = await devTools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    }
    const heap = async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await devTools.send('Runtime.getHeapUsage')
      return usedSize
    }
    const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
    const shown = (): Promise<number> =>
      page.evaluate(`[...document.querySelectorAll('article')]
        .reduce((sum, article) => sum + article.textContent.length, 0)`)
    const before = await heap()
    const shownBefore = await shown()
    const tasksBefore = await taskSeconds()
    await page.evaluate('globalThis.seen.tasks.length = globalThis.seen.frames.length = 0')
    await page.waitForTimeout((SECONDS - 3) * 1000)
    const told: Measure = await page.evaluate(`({
      longest: Math.max(0, ...globalThis.seen.tasks),
      long: globalThis.seen.tasks.length,
      frames: globalThis.seen.frames.length,
    })`)
    const slow: number[] = await page.evaluate(
      'globalThis.seen.frames.toSorted((a, b) => b - a).slice(0, 5).map(Math.round)',
    )
    const characters = (await shown()) - shownBefore
    const busy = ((await taskSeconds()) - tasksBefore) / (SECONDS - 3)
    const after = await heap()
    console.log(`${told.long} tasks over 50 ms, the longest ${Math.round(told.longest)} ms`)
    console.log(`${Math.round(busy * 1000)} ms of processor time a second in the page's own thread`)
    console.log(`${told.frames} frames; the slowest ${slow.join(', ')} ms`)
    console.log(
      `${characters} characters more in ${COLUMNS} columns; heap ${inMegabytes(before)} → ${inMegabytes(after)}`,
    )

    await page.keyboard.press('Escape')
    await page
      .getByText('stopped', { exact: true })
      .nth(COLUMNS - 1)
      .waitFor()
    const calls = over.pair.upstream.requests.slice(-COLUMNS)
    const endings = await Promise.all(calls.map(({ ended }) => ended))
    const closed = endings.filter((ending) => ending === 'gone').length
    console.log(`Stop: ${closed} of ${COLUMNS} calls ended at the vendor`)
    const stopped = await heap()
    await page.reload()
    await page
      .getByText('stopped', { exact: true })
      .nth(COLUMNS - 1)
      .waitFor()
    await page.waitForTimeout(2000)
    const fresh = await heap()
    console.log(`heap once stopped ${inMegabytes(stopped)}; of a fresh page ${inMegabytes(fresh)}`)
    return (
      characters > 0 &&
      (slow[0] ?? 0) <= MOST_FRAME &&
      stopped - before <= MOST_TIMES * (fresh - before) + WARM &&
      closed === COLUMNS
    )
  } finally {
    await over.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The browser would keep the process.
  process.exit((await benchPlayground()) ? 0 : 1)
}
