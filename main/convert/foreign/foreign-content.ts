import type { ExchangeRequest, NativePart, Part, TextPart, Turn, WireFormat } from '../exchange.ts'
import { wordOf } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import { withoutStatements } from './stated-turns.ts'
import { textOfUnknown } from './text-of-unknown.ts'

/** Kinds that tell their own vendor something, and a model nothing. */
const hints: ReadonlySet<string> = new Set(['fallback'])

const isForeign = (part: Part, format: WireFormat): boolean =>
  (part.type === 'native' && part.origin !== format) ||
  (part.type === 'result' && part.parts.some((inner) => isForeign(inner, format)))

/**
 * A piece of a kind that only its own vendor knows: as text where it has one, left out where it is a hint. All else
 * is content that the model would have to see: `invalid_request` names its path and kind.
 */
function read({ value, at, cacheMark }: NativePart, above: string, loss: Loss): TextPart | null {
  const path = at ?? above
  const type = wordOf(value.type ?? '') || (Object.keys(value)[0] ?? '')
  if (type === '' || hints.has(type)) {
    loss.drop(path, 'nothing_to_model')
    return null
  }
  const text = textOfUnknown(value)
  if (text === null) {
    loss.refuse(path, { code: 'kind_unreadable', kind: type })
  }
  loss.approximate(path, { code: 'kind_as_text', kind: type })
  return { type: 'text', text, at: path, ...(cacheMark ? { cacheMark } : {}) }
}

function fitted<One extends Part>(
  parts: readonly One[],
  above: string,
  format: WireFormat,
  loss: Loss,
): (One | TextPart)[] {
  return parts.flatMap((part): (One | TextPart)[] => {
    if (part.type === 'native' && part.origin !== format) {
      const text = read(part, above, loss)
      return text ? [text] : []
    }
    if (part.type !== 'result') return [part]
    return [{ ...part, parts: fitted(part.parts, part.at ?? above, format, loss) }]
  })
}

/** The request with nothing in it that another vendor than `format`'s alone could read; one rule for all of them. */
export function withoutForeignContent(
  asked: ExchangeRequest,
  format: WireFormat,
  loss: Loss,
): ExchangeRequest {
  const request = asked.origin === format ? asked : withoutStatements(asked)
  const hasForeign = ({ native, parts }: Turn) =>
    (native !== undefined && native.origin !== format) ||
    parts.some((part) => isForeign(part, format))
  if (!request.turns.some(hasForeign)) return request
  const turns = request.turns.map((turn) => {
    if (!hasForeign(turn)) return turn
    const { native, ...rest } = turn
    // Here, because neighbours of one role become one turn, which has one path.
    loss.native(native, format, turn.at)
    const parts = fitted(turn.parts, turn.at ?? loss.field('turns'), format, loss)
    return { ...rest, parts, ...(native?.origin === format ? { native } : {}) }
  })
  return { ...request, turns }
}
