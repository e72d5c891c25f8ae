const OPEN = '<think>'
const CLOSE = '</think>'
/** Characters of nothing but white space after which no tag is waited for. */
const MOST_BLANK = 1000
/** Characters at the end of what has come that may still turn out to be the closing tag, or the line before it. */
const HELD = CLOSE.length

/** Some of an answer's text, told apart. */
export interface ToldApart {
  thought: string
  text: string
}

/** A thought as its vendor wrote it, for where it has to go back so. */
export const writeThought = (thought: string): string => `${OPEN}\n${thought}\n${CLOSE}`

/**
 * Tells an answer's text from the thought at its beginning, which some vendors write between tags unless they
 * are asked for a field of its own: MiniMax (https://platform.minimaxi.com/docs/api-reference/text-openai-api),
 * Groq (https://console.groq.com/docs/reasoning), Cerebras (https://inference-docs.cerebras.ai/capabilities/reasoning).
 */
export class LeadingThought {
  #stage: 'beginning' | 'thought' | 'behind' | 'text' = 'beginning'
  #held = ''
  /** Nothing of the thought has been given out. */
  #isFirst = true

  /** Is what comes next the answer's text, as it stands? */
  get isOver(): boolean {
    return this.#stage === 'text'
  }

  /** The vendor has a field for thoughts. */
  skip(): void {
    if (this.#stage === 'beginning' && this.#held === '') this.#stage = 'text'
  }

  push(piece: string): ToldApart {
    if (this.#stage === 'text') return { thought: '', text: piece }
    this.#held += piece
    if (this.#stage === 'beginning') {
      const begun = this.#held.trimStart()
      const mayBegin = begun.length < OPEN.length && OPEN.startsWith(begun)
      if (mayBegin && this.#held.length < MOST_BLANK) return { thought: '', text: '' }
      if (!begun.startsWith(OPEN)) return this.end()
      this.#held = begun.slice(OPEN.length)
      this.#stage = 'thought'
    }
    return this.#stage === 'thought' ? this.#inThought() : this.#behind('')
  }

  /** What is still held, when no more comes. */
  end(): ToldApart {
    const held = this.#held
    const isThought = this.#stage === 'thought'
    this.#held = ''
    this.#stage = 'text'
    return isThought ? { thought: this.#trimmed(held), text: '' } : { thought: '', text: held }
  }

  #trimmed(thought: string): string {
    const begun = this.#isFirst ? thought.trimStart() : thought
    if (begun !== '') this.#isFirst = false
    return begun
  }

  #inThought(): ToldApart {
    const at = this.#held.indexOf(CLOSE)
    if (at < 0) {
      const end = Math.max(0, this.#held.length - HELD)
      const thought = this.#trimmed(this.#held.slice(0, end))
      this.#held = this.#held.slice(end)
      return { thought, text: '' }
    }
    const thought = this.#trimmed(this.#held.slice(0, at).trimEnd())
    this.#held = this.#held.slice(at + CLOSE.length)
    this.#stage = 'behind'
    return this.#behind(thought)
  }

  #behind(thought: string): ToldApart {
    const text = this.#held.trimStart()
    this.#held = ''
    if (text !== '') this.#stage = 'text'
    return { thought, text }
  }
}
