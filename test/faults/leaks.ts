import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../support/collect-garbage.ts'
import { GRANTED, type Stage } from './stage.ts'

const MEBIBYTE = 1024 * 1024
/** A whole answer is kept up to 128 MiB, and once more where it is unpacked or converted; no more than that. */
const MOST_AT_ONCE = 450 * MEBIBYTE
/** Bytes that the gateway and the tests may keep of some hundred cells, rows and channels. */
const MOST_KEPT = 40 * MEBIBYTE
/** Idle connections to upstreams are closed after four seconds. */
const SOCKETS_GONE = 10_000

const collect = (globalThis as { gc?: () => void }).gc

const inUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function settledMemory(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect?.()
    await sleep(20)
  }
  return inUse()
}

/** How many of each kind keep this process awake. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Compares memory, files and other resources after some cells with those before. */
export class Leaks {
  readonly #memory: number
  /** All temporary files of this process go there: other tests make some as well. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'switchyard-faults-'))
  readonly #usualFolder = process.env.TMPDIR
  readonly #resources = resources()
  #peak = 0
  #sampling: NodeJS.Timeout | null = null

  private constructor(memory: number) {
    this.#memory = memory
    process.env.TMPDIR = this.#folder
  }

  static async begin(): Promise<Leaks> {
    return new Leaks(await settledMemory())
  }

  /** Records the peak of memory from now on. */
  watchMemory(): void {
    let wasCollected = false
    this.#sampling = setInterval(() => {
      const used = inUse() - this.#memory
      // What nobody holds any more counts as in use until it's collected, which a busy machine puts off.
      const mayBeLess = used >= MOST_AT_ONCE && !wasCollected
      if (mayBeLess) collectGarbage()
      else this.#peak = Math.max(this.#peak, used)
      wasCollected = mayBeLess
    }, 20)
  }

  /** Closes the stage and says what is left of it. */
  async end(stage: Stage): Promise<string[]> {
    clearInterval(this.#sampling ?? undefined)
    const { gateway, upstreams, tokenId } = stage
    const { reservations, ledger, tokens, openCalls } = gateway.parts
    const problems: string[] = []
    const demand = (holds: boolean, what: string) => {
      if (!holds) problems.push(what)
    }
    const held = reservations.ofToken(tokenId)
    demand(held === 0, `${held} units are still held back`)
    demand(openCalls.size === 0, `${openCalls.size} calls are still open`)
    const rows = ledger.list({ tokenId }, { page: 1, pageSize: 10_000 }).items
    const sum = rows.reduce((total, { quota }) => total + quota, 0)
    const { quota } = ledger.totals('token', tokenId)
    demand(quota === sum, `the token has used ${quota} units, its rows add up to ${sum}`)
    demand(tokens.byId(tokenId)?.grantedQuota === GRANTED, 'the token’s grant has changed')
    await this.#untilGone(() => upstreams.every((one) => one.open() === 0))
    for (const one of upstreams) {
      demand(one.busy() === 0, `${one.busy()} connections of ${one.url} still carry a call`)
      demand(one.open() === 0, `${one.open()} connections of ${one.url} are still open`)
    }
    await stage.close()
    await sleep(100)
    const most = Math.round(this.#peak / MEBIBYTE)
    demand(this.#peak < MOST_AT_ONCE, `${most} MiB were in use at once`)
    for (const [kind, count] of resources()) {
      const before = this.#resources.get(kind) ?? 0
      demand(count <= before, `${count} × ${kind}, and ${before} before`)
    }
    for (const name of readdirSync(this.#folder))
      demand(false, `the temporary file ${name} is left`)
    rmSync(this.#folder, { recursive: true })
    if (this.#usualFolder === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = this.#usualFolder
    if (collect) {
      const more = (await settledMemory()) - this.#memory
      demand(more < MOST_KEPT, `${Math.round(more / MEBIBYTE)} MiB more are in use`)
    }
    return problems
  }

  async #untilGone(isGone: () => boolean): Promise<void> {
    const until = performance.now() + SOCKETS_GONE
    while (!isGone() && performance.now() < until) await sleep(50)
  }
}
