import { GatewayError } from '../../../base/errors.ts'
import type { Native } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { type ItemKind, itemId } from '../item-ids.ts'
import { keptFields } from '../own-fields.ts'

/** Takes each event of an answer, its type and what stands beside it. */
export type Emit = (type: string, fields: JsonObject) => void

/** One item of an output, and its place there. */
export interface OutputItem {
  index: number
  id: string
  /** As it stands; it grows until it is done. */
  item: JsonObject
}

/** The end of an answer repeats all of it, so all of it is held. In characters. */
const MOST_HELD = 16 * 1024 * 1024

/** The items of one answer in the order of their beginning, with the events that tell of them. */
export class Output {
  readonly items: JsonObject[] = []
  readonly #callId: string
  readonly #emit: Emit
  #held = 0

  constructor(callId: string, emit: Emit) {
    this.#callId = callId
    this.#emit = emit
  }

  /** Begins an item: `fields` are what it holds so far. Its own vendor's id is kept. */
  add(kind: ItemKind, fields: JsonObject, native?: Native): OutputItem {
    const index = this.items.length
    const kept = keptFields(native).item_id ?? fields.id
    const id = typeof kept === 'string' ? kept : itemId(kind, this.#callId, index)
    const item = { id, ...fields }
    this.items.push(item)
    this.#emit('response.output_item.added', { output_index: index, item })
    return { index, id, item }
  }

  done({ index, item }: OutputItem): void {
    this.#emit('response.output_item.done', { output_index: index, item })
  }

  /** An item that comes whole. */
  addWhole(kind: ItemKind, fields: JsonObject, native?: Native): OutputItem {
    const added = this.add(kind, fields, native)
    this.done(added)
    return added
  }

  /** An event about a part of an item. */
  tell(type: string, { id, index }: OutputItem, fields: JsonObject): void {
    this.#emit(`response.${type}`, { item_id: id, output_index: index, ...fields })
  }

  /** Throws `upstream_invalid` when an answer grows without end. */
  hold(characters: number): void {
    this.#held += characters
    if (this.#held <= MOST_HELD) return
    throw new GatewayError('upstream_invalid', {
      message: `The answer is longer than ${MOST_HELD / 1024 / 1024} MiB, more than can be held.`,
      reason: { code: 'answer_unholdable', mebibytes: MOST_HELD / 1024 / 1024 },
    })
  }
}
