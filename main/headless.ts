import './base/heap/heap-at-start.ts'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boundHeap } from './base/heap/heap-bounds.ts'
import { catchLastFaults } from './base/log/last-faults.ts'
import { createLog } from './base/log/log.ts'
import { redact } from './base/log/redact.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import { readOptions, USAGE } from './options.ts'
import { StartError } from './store/folder/start-error.ts'
import { openConfFile } from './store/state/conf-file.ts'

/** Stopping takes at most this many milliseconds beyond the time that calls have to end, whatever hangs. */
const STOP_LIMIT = 1_800
/** Seconds that calls have where nobody says. */
const DRAIN_SECONDS = 3
/** Milliseconds after which a further SIGTERM is meant, and not the first one once more. */
const MEANT_AFTER = 1_000

/** `dist/renderer`, seen from `dist/main` and, when run from source, from `main`. */
function rendererFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.endsWith(join('dist', 'main'))
    ? join(here, '..', 'renderer')
    : join(here, '..', 'dist', 'renderer')
}

function stopOnSignals(gateway: RunningGateway, drainSeconds: number): void {
  let stoppingSince = 0
  const stopAnew = (signal: NodeJS.Signals) => {
    const since = performance.now() - stoppingSince
    // A second Ctrl-C means it. But a signal may come twice by itself, at almost the same time: to the
    // whole process group, and from the script above that hands it on.
    if (signal === 'SIGINT' && since > 100) process.exit(130)
    if (signal === 'SIGTERM' && since > MEANT_AFTER) gateway.hurry()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince > 0) return stopAnew(signal)
      stoppingSince = performance.now()
      setTimeout(() => process.exit(0), drainSeconds * 1000 + STOP_LIMIT).unref()
      void gateway.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (!options) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  if (options.resetTwoFactorOf !== undefined) {
    const { dataFolder, resetTwoFactorOf } = options
    const { resetTwoFactorOffline } = await import('./manage/account/reset-two-factor-offline.ts')
    process.stdout.write(
      `${await resetTwoFactorOffline(dataFolder, resetTwoFactorOf, openConfFile)}\n`,
    )
    return
  }
  if (options.restoreFrom !== undefined) {
    const { dataFolder, restoreFrom } = options
    const { restoreBackup } = await import('./store/backup/restore.ts')
    process.stdout.write(`${await restoreBackup(restoreFrom, dataFolder, openConfFile)}\n`)
    return
  }
  if (options.disconnectsAll) {
    const { thisMachine } = await import('./manage/connect/this-machine.ts')
    const { undoOffline } = await import('./manage/connect/undo-offline.ts')
    process.stdout.write(`${await undoOffline(options.dataFolder, thisMachine(process.env))}\n`)
    return
  }
  const log = createLog()
  const gateway = await startGateway({
    ...options,
    rendererFolder: rendererFolder(),
    openStateFile: openConfFile,
    env: process.env,
    log,
  })
  catchLastFaults(log, () => {
    const closing = gateway.close()
    gateway.hurry()
    return closing
  })
  // However it comes to its end, rows that a locked ledger still has in memory are kept beside it.
  process.once('exit', () => gateway.parts.ledger.close())
  stopOnSignals(gateway, options.drainSeconds ?? DRAIN_SECONDS)
  boundHeap()
  process.stdout.write(`Switchyard is ready at ${gateway.url}\n`)
}

main().catch((error: unknown) => {
  const isKnown = error instanceof StartError
  const message = isKnown ? error.message : ((error as Error).stack ?? String(error))
  process.stderr.write(`${redact(message)}\n`)
  process.exit(1)
})
