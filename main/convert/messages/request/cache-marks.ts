import type { CacheMark } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'

/** https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const MOST_MARKS = 4

/** The mark as a field. Anthropic keeps for five minutes or an hour; OpenAI's times are longer. */
export function encodeMark(
  mark: CacheMark | undefined,
  at: string | undefined,
  loss: Loss,
): JsonObject {
  if (!mark) return {}
  const { ttl } = mark
  if (ttl === null) return { cache_control: { type: 'ephemeral' } }
  if (ttl !== '5m' && ttl !== '1h' && at !== undefined) {
    loss.approximate(at, 'mark_of_an_hour')
  }
  return { cache_control: { type: 'ephemeral', ttl: ttl === '5m' ? '5m' : '1h' } }
}

/** Every object that carries a mark, or may: tools, system, then messages with what is in results. */
function* blocksOf(body: JsonObject): Generator<JsonObject> {
  for (const tool of asArray(body.tools)) if (asObject(tool)) yield tool as JsonObject
  for (const block of asArray(body.system)) if (asObject(block)) yield block as JsonObject
  for (const message of asArray(body.messages)) {
    for (const block of asArray(asObject(message)?.content)) {
      if (!asObject(block)) continue
      for (const inner of asArray((block as JsonObject).content))
        if (asObject(inner)) yield inner as JsonObject
      yield block as JsonObject
    }
  }
}

const isHour = (block: JsonObject): boolean => asObject(block.cache_control)?.ttl === '1h'

/**
 * Keeps the last four marks of a body, which reach furthest, and takes the hour from one that stands behind a
 * mark of five minutes: Anthropic refuses both. Changes `body`.
 */
export function limitMarks(body: JsonObject, loss: Loss): void {
  const marked = [...blocksOf(body)].filter((block) => asObject(block.cache_control))
  const room = MOST_MARKS - (asObject(body.cache_control) ? 1 : 0)
  const surplus = marked.splice(0, Math.max(0, marked.length - room))
  for (const block of surplus) {
    loss.approximate(loss.field('turns'), { code: 'marks_last', count: room })
    delete block.cache_control
  }
  let isShort = false
  for (const block of marked) {
    if (isShort && isHour(block)) {
      loss.approximate(loss.field('turns'), 'marks_other_times')
      block.cache_control = { type: 'ephemeral' }
    }
    if (!isHour(block)) isShort = true
  }
}

/**
 * Marks for a client whose own vendor caches unasked: the last tool, the last block of the system prompt and the ends
 * of the last two user turns. Without them nothing is cached here. A write costs a quarter more than plain input:
 * they're for clients that come again.
 */
export function markUnasked(body: JsonObject): void {
  if ([...blocksOf(body)].some((block) => asObject(block.cache_control))) return
  const ends = asArray(body.messages)
    .filter((message) => asObject(message)?.role === 'user')
    .slice(-2)
    .map((message) => asArray(asObject(message)?.content).at(-1))
  const last = [asArray(body.tools).at(-1), asArray(body.system).at(-1), ...ends]
  for (const block of last) {
    const object = asObject(block)
    if (object) object.cache_control = { type: 'ephemeral' }
  }
}
