const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Loads conf or electron-store without the signal handlers that come with them: their `when-exit` sends
 * each SIGINT and SIGTERM to the process a second time, and a second one is how a person says "stop
 * now, do not drain". What it does at `exit` stays.
 */
export async function keepOwnSignals<Module>(load: () => Promise<Module>): Promise<Module> {
  const before = SIGNALS.map((signal) => process.rawListeners(signal))
  const loaded = await load()
  SIGNALS.forEach((signal, index) => {
    for (const listener of process.rawListeners(signal)) {
      if (!before[index]?.includes(listener)) {
        process.removeListener(signal, listener as NodeJS.SignalsListener)
      }
    }
  })
  return loaded
}
