import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { Part } from '../exchange.ts'

/** About how many tokens a model wrote for these parts, where its vendor does not tell. */
export function estimateOutput(parts: readonly Part[]): number {
  let tokens = 0
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') tokens += estimateTokens(part.text)
    else if (part.type === 'reasoning') tokens += estimateTokens(part.sections.join('\n\n'))
    else if (part.type === 'call') tokens += estimateTokens(part.name + part.arguments)
  }
  return tokens
}
