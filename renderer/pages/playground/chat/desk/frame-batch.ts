/** Milliseconds until changes show in a window that draws no frames, as one in the background. */
const LATEST = 250

/** Runs a function at the next frame, however often it is asked for until then. */
export class FrameBatch {
  readonly #run: () => void
  #frame = 0
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(run: () => void) {
    this.#run = run
  }

  ask(): void {
    if (this.#timer !== null) return
    this.#timer = setTimeout(() => this.now(), LATEST)
    this.#frame = requestAnimationFrame(() => this.now())
  }

  /** Runs it at once if it was asked for. */
  now(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    cancelAnimationFrame(this.#frame)
    this.#timer = null
    this.#run()
  }
}
