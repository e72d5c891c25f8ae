import { equalCharacters } from './equal-characters.ts'
import { type Prompt, type PromptPiece, tokensOf } from './prompt-pieces.ts'

/** Where two prompts part. */
export interface Departure {
  /** In the later prompt; of one that is shorter in the earlier. */
  path: string
  /** The earlier and the later prompt's text there; null where it has ended. */
  from: string | null
  to: string | null
  /** Characters in which the texts are equal. */
  at: number
}

export interface PromptComparison {
  /** ≈ tokens from the beginning in which both are equal. */
  equalTokens: number
  /** ≈ tokens of the earlier prompt, and of the later. */
  tokensBefore: number
  tokens: number
  /** Null where the later prompt only adds to the earlier. */
  departure: Departure | null
}

const sum = (pieces: readonly PromptPiece[]): number =>
  pieces.reduce((tokens, { text }) => tokens + tokensOf(text), 0)

/** A turn or tool that is another one altogether is named itself. */
const shortPath = (path: string): string => path.replace(/\.(?:role|type|name)$/, '')

/** How far a prompt is the same as the one before it. */
export function comparePrompts(before: Prompt, now: Prompt): PromptComparison {
  const one = before.pieces
  const other = now.pieces
  let index = 0
  while (index < one.length && index < other.length && one[index]?.text === other[index]?.text) {
    index++
  }
  const [from, to] = [one[index], other[index]]
  const tokensBefore = sum(one)
  const tokens = sum(other)
  const equal = sum(one.slice(0, index))
  if (!from) return { equalTokens: equal, tokensBefore, tokens, departure: null }
  const at = to ? equalCharacters(from.text, to.text) : 0
  return {
    equalTokens: equal + (at > 0 ? tokensOf(from.text.slice(0, at)) : 0),
    ...{ tokensBefore, tokens },
    departure: {
      path: shortPath((to ?? from).path),
      ...{ from: from.text, to: to?.text ?? null, at },
    },
  }
}
