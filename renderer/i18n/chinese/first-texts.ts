import type { FirstTexts } from '../texts.ts'
import { fieldReason } from './field-reasons.ts'
import * as translation from './first-dictionary.ts'
import { failureHeads } from './sentences/failure-heads.ts'
import { sentences } from './sentences/sentences.ts'

export const chineseFirst: FirstTexts = {
  translation,
  sentences: { ...sentences, ...fieldReason },
  failureHeads,
}
