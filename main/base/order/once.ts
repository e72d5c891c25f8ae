/** Runs it the first time, with what is given then. */
export function once<Args extends unknown[]>(
  run: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let running: Promise<void> | null = null
  return (...args) => {
    running ??= run(...args)
    return running
  }
}
