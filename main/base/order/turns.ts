/** Runs what has the same key one after the other, in the order in which it came. */
export class Turns<Key = number> {
  readonly #last = new Map<Key, Promise<unknown>>()

  /** Gives or throws what `act` does, once all before it are done, however they ended. */
  take<Result>(key: Key, act: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const turn = before.then(act, act)
    this.#last.set(key, turn)
    const leave = () => {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
