/** Runs it the first time, with what is given then. */
export function once<Given extends unknown[]>(
  run: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  let running: Promise<void> | null = null
  return (...given) => {
    running ??= run(...given)
    return running
  }
}
