import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from './cells.ts'
import { checkCell } from './check-cell.ts'
import { makeCall } from './faulty-call.ts'
import { Leaks } from './leaks.ts'
import { type Placed, type Stage, startStage } from './stage.ts'

/** The result of one cell; `problems` is empty where it held. */
export interface CellResult {
  name: string
  problems: readonly string[]
  milliseconds: number
}

const AT_ONCE = 24
const PATIENCE = 30_000
const PATIENCE_FOR_MUCH = 120_000
/** Cells of one gateway. */
const STAGE_SIZE = 400

/** The rows of a cell; the ledger writes them a moment after they count. */
async function rowsOf({ gateway }: Stage, { model }: Placed) {
  const read = () =>
    gateway.parts.ledger.list({ modelName: model }, { page: 1, pageSize: 10 }).items
  for (let tries = 0; tries < 100 && read().length === 0; tries++) await sleep(20)
  return read()
}

async function runCell(stage: Stage, placed: Placed): Promise<CellResult> {
  const { cell, model, begin: onBegin } = placed
  const { client, stream, asArray } = cell
  const { url } = stage.gateway
  const patience = cell.fault.isHeavy ? PATIENCE_FOR_MUCH : PATIENCE
  const answer = await makeCall({
    url,
    key: stage.key,
    client,
    model,
    stream,
    asArray,
    onBegin,
    patience,
  })
  const problems = checkCell(placed, answer, await rowsOf(stage, placed))
  return { name: cell.name, problems, milliseconds: Math.round(answer.milliseconds) }
}

async function runSome(
  stage: Stage,
  some: readonly Placed[],
  atOnce: number,
  done: (result: CellResult) => void,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let one = some[next++]; one; one = some[next++]) done(await runCell(stage, one))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/**
 * Runs cells, many at a time, on gateways of their own, and looks after each gateway's end whether anything is
 * left behind. `done` hears of every cell, and of every look as if it were one.
 */
export async function runCells(
  cells: readonly Cell[],
  done: (result: CellResult) => void,
): Promise<void> {
  for (let from = 0; from < cells.length; from += STAGE_SIZE) {
    const began = performance.now()
    const leaks = await Leaks.begin()
    const stage = await startStage(cells.slice(from, from + STAGE_SIZE))
    const isHeavy = ({ cell }: Placed) => cell.fault.isHeavy === true
    await runSome(
      stage,
      stage.placed.filter((one) => !isHeavy(one)),
      AT_ONCE,
      done,
    )
    leaks.watchMemory()
    await runSome(stage, stage.placed.filter(isHeavy), 1, done)
    const problems = await leaks.end(stage)
    const name = `nothing left behind by ${stage.placed.length} cells from "${cells[from]?.name}"`
    done({ name, problems, milliseconds: Math.round(performance.now() - began) })
  }
}
