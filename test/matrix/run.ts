// npm run matrix: every recording × client format × cut, every error status × format. See README.md.
import { join } from 'node:path'
import { runAnswerCell } from './answer-cell.ts'
import { findRecordings } from './find-recordings.ts'
import { formats, type Lane, startLanes } from './matrix-stage.ts'
import { runRequestCell } from './request-cell.ts'
import { runStatusCell, statuses } from './status-cell.ts'

const HELP = `npm run matrix -- [--recordings FOLDER] [--only WORDS] [--limit N] [--every N]

Carries recorded requests, answers, streams and errors through a gateway, in their own format and to
the three others, and looks whether all of it arrives.

  --recordings FOLDER  recordings in any layout: JSON, JSON lines, SSE, cassettes in YAML or JSON
                       (default: the project's own, and every error status)
  --only WORDS         cells whose name holds these words
  --limit N            the first N recordings
  --every N            one cell in N`

interface Cell {
  name: string
  /** Null where there is nothing to compare with. */
  run(lane: Lane): Promise<string[] | null>
}

const LANES = 4

const flags = process.argv.slice(2)
const flagValue = (name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined
if (flags.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}

const folder = flagValue('--recordings')
const only = flagValue('--only') ?? ''
const found = findRecordings(folder ?? join(import.meta.dirname, '../fixtures'))
const recordings = found.recordings.slice(0, Number(flagValue('--limit') ?? Infinity))
for (const one of found.skipped) console.log(`skipped ${one}`)

const cells: Cell[] = recordings.flatMap((recording) =>
  formats.flatMap((other): Cell[] => {
    const { kind, format } = recording
    const way = kind === 'request' ? `${format} to ${other}` : `${format} for ${other}`
    const name = `${recording.name} | ${kind} | ${way}`
    if (kind === 'request') return [{ name, run: (lane) => runRequestCell(recording, other, lane) }]
    const cuts = kind === 'stream' ? [null, 1] : [null]
    return cuts.map((seed) => ({
      name: seed === null ? name : `${name} | cut`,
      run: (lane) => runAnswerCell(recording, other, seed, lane),
    }))
  }),
)
if (folder === undefined) {
  for (const status of statuses)
    for (const upstream of formats)
      for (const client of formats)
        cells.push({
          name: `status ${status} | ${upstream} for ${client}`,
          run: (lane) => runStatusCell(status, upstream, client, lane),
        })
}

const every = Number(flagValue('--every') ?? 1)
const wanted = cells.filter(({ name }, index) => name.includes(only) && index % every === 0)
const began = performance.now()
const { lanes, close } = await startLanes(LANES)
let next = 0
let ran = 0
let held = 0
let unreadable = 0

async function runOne({ name, run }: Cell, lane: Lane): Promise<void> {
  const problems = await run(lane).catch((error: unknown) => [
    `the runner failed: ${error instanceof Error ? error.stack : error}`,
  ])
  if (problems === null) {
    unreadable++
    return
  }
  ran++
  if (problems.length === 0) held++
  else console.log(`✗ ${name}: ${problems.join('; ').slice(0, 600)}`)
}

await Promise.all(
  lanes.map(async (lane) => {
    for (let cell = wanted[next++]; cell; cell = wanted[next++]) await runOne(cell, lane)
  }),
)
await close()
const seconds = Math.round((performance.now() - began) / 1000)
if (unreadable > 0)
  console.log(`\n${unreadable} cells left out: the vendor’s own SDK cannot read the recording.`)
console.log(`\n${recordings.length} recordings, ${ran} cells ran, ${held} held (${seconds} s).`)
process.exit(ran === held ? 0 : 1)
