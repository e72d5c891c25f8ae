import type { FirstTexts } from '../texts.ts'
import { fieldReason } from './field-reasons.ts'
import * as translation from './first-dictionary.ts'
import { failureHeads } from './sentences/failure-heads.ts'
import { firstSentences } from './sentences/first-sentences.ts'

export const chineseFirst: FirstTexts = {
  translation,
  sentences: { ...firstSentences, ...fieldReason },
  failureHeads,
}
