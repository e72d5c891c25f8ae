import type { Citation, HostedPart, MediaPart } from '../exchange.ts'

/** Fields that a client's format has room for in an answer of another vendor; `foreign-answer.ts` tells the rest as losses. */
export interface AnswerPlaces {
  /** Is there room for more answers than one? */
  choices: boolean
  /** Does anything of what a vendor's own tool did show? */
  hosted(part: HostedPart): boolean
  /** Does the file go over, is it told of in words, or neither? */
  media(part: MediaPart): 'whole' | 'words' | null
  citation(citation: Citation): boolean
  /** May a text be empty, and hold sources all the same? */
  emptyTexts: boolean
  logprobs: boolean
  reasoning: boolean
  stopSequence: boolean
}
