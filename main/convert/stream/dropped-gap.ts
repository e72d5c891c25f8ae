import type { Citation, HostedPart, MediaPart, NativePart, Part } from '../exchange.ts'
import type { StreamPart } from './stream-part.ts'

/** Where something stood between two texts that the client does not see, a blank line: it joins them. */
export const GAP = '\n\n'

type Words = Extract<StreamPart, { type: 'text-delta' | 'text-citation' }>

/** A citation of a text that begins `by` characters later. */
export const movedCitation = (citation: Citation, by: number): Citation =>
  citation.type === 'url' && citation.start !== undefined && citation.end !== undefined
    ? { ...citation, start: citation.start + by, end: citation.end + by }
    : citation

/** Finds the texts of an answer before which a part stood that the client's format cannot show. */
export class DroppedGap {
  #hasText = false
  #isParted = false
  /** Blocks whose first word is still to come, and those that have had their blank line. */
  readonly #waiting = new Set<number>()
  readonly #moved = new Set<number>()

  /** A part that the client does not see. */
  dropped(): void {
    this.#isParted = this.#hasText
  }

  /** A part that it sees, other than text. */
  kept(): void {
    this.#isParted = false
    this.#hasText = false
  }

  startText(block: number): void {
    if (this.#isParted) this.#waiting.add(block)
    this.#isParted = false
    this.#hasText = true
  }

  /** Words of a block, behind its blank line. */
  push<P extends Words>(part: P): P {
    const { block } = part
    if (part.type === 'text-citation') {
      const isMoved = this.#waiting.has(block) || this.#moved.has(block)
      return isMoved ? { ...part, citation: movedCitation(part.citation, GAP.length) } : part
    }
    if (part.text === '' || !this.#waiting.delete(block)) return part
    this.#moved.add(block)
    return { ...part, text: GAP + part.text }
  }
}

/** The parts of a whole answer with these blank lines. `isShown`: does the client see the part? */
export function withGaps(
  parts: readonly Part[],
  isShown: (part: HostedPart | NativePart | MediaPart) => boolean,
): Part[] {
  const gap = new DroppedGap()
  return parts.map((part, block) => {
    if (part.type === 'hosted' || part.type === 'native' || part.type === 'media') {
      if (isShown(part)) gap.kept()
      else gap.dropped()
      return part
    }
    if (part.type !== 'text') {
      if (part.type !== 'reasoning') gap.kept()
      return part
    }
    gap.startText(block)
    const citations = part.citations?.map(
      (citation) => gap.push({ type: 'text-citation', block, citation }).citation,
    )
    const { text } = gap.push({ type: 'text-delta', block, text: part.text })
    return { ...part, text, ...(citations ? { citations } : {}) }
  })
}
