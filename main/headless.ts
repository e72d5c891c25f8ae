import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { createLog } from './base/log.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import { resetTwoFactorOffline } from './manage/account/reset-two-factor-offline.ts'
import { readOptions, USAGE } from './options.ts'
import { openConfFile } from './store/conf-file.ts'
import { StartError } from './store/start-error.ts'

/** Stopping takes at most this many milliseconds, whatever hangs. */
const STOP_LIMIT = 4_800

/** `dist/renderer`, seen from `dist/main` and, when run from source, from `main`. */
function rendererFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.endsWith(join('dist', 'main'))
    ? join(here, '..', 'renderer')
    : join(here, '..', 'dist', 'renderer')
}

function stopOnSignals(gateway: RunningGateway): void {
  let stoppingSince = 0
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C means it. But a signal may come twice by itself, at almost the same time: to the
      // whole process group, and from the script above that hands it on.
      const isMeant = signal === 'SIGINT' && performance.now() - stoppingSince > 100
      if (stoppingSince > 0 && isMeant) process.exit(130)
      if (stoppingSince > 0) return
      stoppingSince = performance.now()
      setTimeout(() => process.exit(0), STOP_LIMIT).unref()
      void gateway.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

/**
 * Under load V8 doubles its young generation up to three times 16 or 32 MB, which hundreds of open streams
 * fill and no processor cache holds. What starting has grown it to is enough for calls, whose objects die
 * young: on Node 24 a third less memory under 256 streams, at the same speed. It would not be if a
 * call made texts of 50 KB and more, which a small young generation passes on to the old one.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (!options) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  if (options.resetTwoFactorOf !== undefined) {
    const { dataFolder, resetTwoFactorOf } = options
    process.stdout.write(
      `${await resetTwoFactorOffline(dataFolder, resetTwoFactorOf, openConfFile)}\n`,
    )
    return
  }
  const gateway = await startGateway({
    ...options,
    rendererFolder: rendererFolder(),
    openStateFile: openConfFile,
    env: process.env,
    log: createLog(),
  })
  stopOnSignals(gateway)
  keepYoungGenerationSmall()
  process.stdout.write(`Switchyard is ready at ${gateway.url}\n`)
}

main().catch((error: unknown) => {
  const isKnown = error instanceof StartError
  process.stderr.write(`${isKnown ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
})
