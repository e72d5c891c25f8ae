import type { ServerEvent } from '../conversion.ts'
import type { StreamPart } from './stream-part.ts'

type Delta = Extract<StreamPart, { type: 'text-delta' | 'reasoning-delta' }>

/** Characters that stand in a JSON string as they are. */
const plain = /^[ !#-[\]-\uffff]+$/
/** OpenAI's padding, of another length in each event, so that lengths don't tell the words. */
const padding = /,"obfuscation":"[ !#-[\]-\uffff]*"/

const withoutPadding = (json: string): string => {
  const found = json.includes(',"obfuscation":') ? padding.exec(json) : null
  return found ? json.slice(0, found.index) + json.slice(found.index + found[0].length) : json
}

/**
 * Most events of a stream equal the one before but for the words of their delta. Such an event isn't parsed: its part
 * is the last one's with other words. A decoder must not learn an event of which it adds something up, such as sound
 * or the arguments of a call.
 */
export class RepeatedDelta {
  #event: string | null = null
  /** The last event's JSON on both sides of its words. */
  #before = ''
  #behind = ''
  #delta: Delta | null = null

  /** The part of an event that repeats the one learnt; null for any other, which is to be decoded and learnt. */
  read({ event, data }: ServerEvent): Delta | null {
    const delta = this.#delta
    if (!delta || event !== this.#event || !data.startsWith(this.#before)) return null
    const end = data.indexOf('"', this.#before.length)
    const text = data.slice(this.#before.length, end)
    if (end < 0 || !plain.test(text)) return null
    const behind = data.slice(end)
    const isSame = behind === this.#behind || withoutPadding(behind) === this.#behind
    // A copy: a piece of the event would keep all of it in memory.
    return isSame ? { ...delta, text: JSON.parse(`"${text}"`) as string } : null
  }

  /** `words`: the event's strings that a delta's words may be. */
  learn(
    { event, data }: ServerEvent,
    parts: readonly StreamPart[],
    words: readonly unknown[],
  ): void {
    this.#delta = null
    const [delta] = parts
    if (delta?.type !== 'text-delta' && delta?.type !== 'reasoning-delta') return
    if (parts.length > 1 || !words.includes(delta.text)) return
    // Without an escape each string stands in JSON as it is.
    if (data.includes('\\')) return
    const quoted = `"${delta.text}"`
    const at = data.indexOf(quoted)
    if (at < 0 || data.includes(quoted, at + 1)) return
    this.#event = event
    this.#before = data.slice(0, at + 1)
    this.#behind = withoutPadding(data.slice(at + quoted.length - 1))
    this.#delta = delta
  }
}
