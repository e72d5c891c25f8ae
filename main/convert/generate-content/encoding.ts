import type { PlacedMark } from '../conversion.ts'
import type { CacheMark, Native, WireFormat } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import type { ModelRules } from '../model/model-rules.ts'
import { FORMAT } from './wire-fields.ts'

/** Facts of a request that the parts of its encoding need. */
export interface Encoding {
  /** Format that the client speaks. */
  origin: WireFormat
  /** The client speaks this format itself: what it said goes back as it said it. */
  isOwn: boolean
  rules: ModelRules
  loss: Loss
  /** Takes the request's cache marks; absent where they are of no use. */
  marks?: PlacedMark[]
}

interface Node {
  at?: string
  native?: Native
  cacheMark?: CacheMark
}

/** A node's cache mark by its path, and the part of the body that it stands on. */
export function placedMark(
  { at, cacheMark }: { at?: string | undefined; cacheMark: CacheMark },
  { origin }: Pick<Encoding, 'origin'>,
  { turn, part }: { turn: number; part: number },
): PlacedMark {
  const field = origin === 'messages' ? 'cache_control' : 'prompt_cache_breakpoint'
  return { path: at === undefined ? field : `${at}.${field}`, ttl: cacheMark.ttl, turn, part }
}

const BEFORE_TURNS = { turn: -1, part: -1 }

/** The node's own fields for a wire object; what only another format has is noted as lost. */
export function nodeFields(node: Node, encoding: Encoding): JsonObject {
  const { loss, marks } = encoding
  const { at, cacheMark } = node
  if (cacheMark) {
    const mark = placedMark({ at, cacheMark }, encoding, BEFORE_TURNS)
    if (marks) marks.push(mark)
    else loss.drop(mark.path, 'google_caches')
  }
  return loss.native(node.native, FORMAT, node.at)
}
