import type { ReasoningPart, Turn } from '../../exchange.ts'
import { FORMAT } from '../wire-fields.ts'

/** A thought without state, and the turn that it stands in. */
interface Loose {
  turn: Turn
  part: ReasoningPart
}

/**
 * Another vendor's state belongs to one whole thought. Clients give a streamed one back in the pieces that
 * it came in, each perhaps in a turn of its own, and the state behind them: here they come together again.
 * Other clients give back the state alone, which holds the text for them.
 * Google's own thoughts stay as they are. Changes the turns; those that are left empty are dropped.
 */
export function gatherThoughts(turns: readonly Turn[]): Turn[] {
  const emptied = new Set<Turn>()
  let loose: Loose[] = []
  for (const turn of turns) {
    if (turn.role !== 'assistant') loose = []
    for (const part of [...turn.parts]) {
      if (part.type !== 'reasoning') loose = []
      else if (!part.state) loose.push({ turn, part })
      else {
        if (part.state.origin !== FORMAT) {
          const { text: carried, ...state } = part.state
          const echoed = [...loose.map((one) => one.part), part].flatMap((one) => one.sections)
          const text = carried ?? echoed.join('')
          part.state = state
          part.sections = text === '' ? [] : [text]
          for (const { turn: from, part: piece } of loose) {
            from.parts.splice(from.parts.indexOf(piece), 1)
            if (from.parts.length === 0) emptied.add(from)
          }
        }
        loose = []
      }
    }
  }
  return turns.filter((turn) => !emptied.has(turn))
}
