import type { CacheMark, Native, WireFormat } from '../exchange.ts'
import type { Loss } from '../loss.ts'
import type { ModelRules } from '../model-rules.ts'
import { FORMAT } from './wire-fields.ts'

export type Wire = Record<string, unknown>

/** What the parts of a request's encoding have to know of it. */
export interface Encoding {
  /** Format that the client speaks. */
  origin: WireFormat
  /** The client speaks this format itself: what it said goes back as it said it. */
  isOwn: boolean
  rules: ModelRules
  loss: Loss
}

interface Node {
  at?: string
  native?: Native
  cacheMark?: CacheMark
}

/** The node's own fields for a wire object; what only another format has is noted as lost. */
export function nodeFields(node: Node, { origin, loss }: Encoding): Wire {
  if (node.cacheMark) {
    const field = origin === 'messages' ? 'cache_control' : 'prompt_cache_breakpoint'
    loss.drop(node.at === undefined ? field : `${node.at}.${field}`, 'Google caches by itself')
  }
  return loss.native(node.native, FORMAT, node.at)
}
