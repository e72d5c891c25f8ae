/** Harm that an input has done; the message says which. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/** One way to attack the gateway; `run` makes the input of an index and throws a Fault where it does harm. */
export interface Attack {
  name: string
  /** Share of all inputs. */
  share: number
  run(index: number): Promise<void>
}
