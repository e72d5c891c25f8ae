import type { Channel } from '../../store/records/channels.ts'
import type { CircuitState } from '../circuit/circuit.ts'

/** Channels of a kind that are looked at: no call tries more. */
const MOST = 64

/** A channel that is cooling down. */
interface Resting {
  channel: Channel
  circuit: CircuitState
  /** When it may be asked again. */
  end: number
}

/** The first few of any number of channels by when they may be asked again, in that order. */
export class Soonest {
  readonly list: Resting[] = []

  add(one: Resting): void {
    const { list } = this
    const last = list.at(-1)
    if (last && list.length >= MOST) {
      if (one.end >= last.end) return
      list.pop()
    }
    let index = list.length
    while (index > 0 && (list[index - 1] as Resting).end > one.end) index--
    list.splice(index, 0, one)
  }
}
