import { type Context, createContext, Script } from 'node:vm'

/** Milliseconds that a pattern may take on one text: nothing else is served meanwhile. */
const TIME_LIMIT = 50
/** How often it is tried on a machine that is too busy to give the gateway its time. */
const TRIES = 5

/** Milliseconds of work of this process. */
function workDone(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Did the script take too long? */
export const isTimeOut = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Holds texts and numbers, and nothing else. Few gateways need one. */
let sandbox: Context | null = null

/** Work with an owner's pattern on a caller's text. It runs apart, since only there can it be stopped. */
export class TimedScript {
  readonly #script: Script

  constructor(code: string) {
    this.#script = new Script(code)
  }

  /** The script's result with these variables. Throws what the script throws, or an error that `isTimeOut` knows. */
  run(variables: Readonly<Record<string, string | number>>): string {
    sandbox ??= createContext({})
    Object.assign(sandbox, variables)
    try {
      return this.#runInTime(sandbox)
    } finally {
      // Texts may be large, and are not kept.
      for (const name in variables) sandbox[name] = undefined
    }
  }

  /** The limit is clock time: where the machine gave the gateway no time to work, the script is tried again. */
  #runInTime(context: Context): string {
    for (let tries = 1; ; tries++) {
      const before = workDone()
      try {
        return String(this.#script.runInContext(context, { timeout: TIME_LIMIT }))
      } catch (error) {
        if (!isTimeOut(error) || tries === TRIES || workDone() - before > TIME_LIMIT / 2)
          throw error
      }
    }
  }
}
