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

/** Milliseconds of a frame, and bytes that the heap may grow by beyond what each character shown takes. */
const MOST_FRAME = 50
const MOST_GROWTH = 4_000_000
const BYTES_A_CHARACTER = 60

/**
 * Four columns that stream for a minute: the longest task and frame of the page, and its heap. False where a frame was
 * too long, or the heap grew by more than the text that it shows.
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
    const heap = async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await devTools.send('Runtime.getHeapUsage')
      return usedSize
    }
    const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
    const shown = (): Promise<number> =>
      page.evaluate(`[...document.querySelectorAll('article[aria-busy=true]')]
        .reduce((sum, article) => sum + article.textContent.length, 0)`)
    const before = await heap()
    const shownBefore = await shown()
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
    const after = await heap()
    console.log(`${told.long} tasks over 50 ms, the longest ${Math.round(told.longest)} ms`)
    console.log(`${told.frames} frames; the slowest ${slow.join(', ')} ms`)
    console.log(
      `${characters} characters more in ${COLUMNS} columns; heap ${inMegabytes(before)} → ${inMegabytes(after)}`,
    )
    const growth = after - before - characters * BYTES_A_CHARACTER
    return characters > 0 && (slow[0] ?? 0) <= MOST_FRAME && growth <= MOST_GROWTH
  } finally {
    await over.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The browser would keep the process.
  process.exit((await benchPlayground()) ? 0 : 1)
}
