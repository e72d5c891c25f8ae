/** Milliseconds for which a client is kept to HTTP. */
const KEPT = 10 * 60_000

/**
 * Callers that asked over a WebSocket for what is served over HTTP only. Codex tries the WebSocket again
 * five times after an error in a message, but goes on over HTTP at once when the upgrade itself is answered
 * with 426: so its next one is.
 */
export class HttpOnlyCallers {
  readonly #until = new Map<string, number>()

  note(owner: string): void {
    this.#until.set(owner, performance.now() + KEPT)
  }

  has(owner: string): boolean {
    const until = this.#until.get(owner)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#until.delete(owner)
    return false
  }
}
