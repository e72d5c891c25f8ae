import type { Call } from '../call/call.ts'

/** The token and the user that pay. */
export type Payer = Pick<Call['caller'], 'token' | 'user'>

/** Units reserved for running calls, so that parallel calls can't spend them twice. */
export class Reservations {
  readonly #tokens = new Map<number, number>()
  readonly #users = new Map<number, number>()

  ofToken(id: number): number {
    return this.#tokens.get(id) ?? 0
  }

  ofUser(id: number): number {
    return this.#users.get(id) ?? 0
  }

  hold(payer: Payer, units: number): Hold {
    return new Hold((change) => {
      if (payer.token) add(this.#tokens, payer.token.id, change)
      add(this.#users, payer.user.id, change)
    }, units)
  }
}

function add(held: Map<number, number>, id: number, units: number): void {
  const sum = (held.get(id) ?? 0) + units
  if (sum > 0) held.set(id, sum)
  else held.delete(id)
}

/** Quota that is held back for one call until it is booked. */
export class Hold {
  readonly #change: (units: number) => void
  #units = 0
  #isOver = false

  constructor(change: (units: number) => void, units: number) {
    this.#change = change
    this.growTo(units)
  }

  get units(): number {
    return this.#units
  }

  /** For what has used more already than was expected of it. */
  growTo(units: number): void {
    if (this.#isOver || units <= this.#units) return
    this.#change(units - this.#units)
    this.#units = units
  }

  release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#change(-this.#units)
    this.#units = 0
  }
}
