import type { Texts } from '../texts.ts'
import * as translation from './dictionary.ts'
import { fieldReason } from './field-reasons.ts'
import { chineseFirst } from './first-texts.ts'
import { sentences } from './sentences/sentences.ts'

export const chinese: Texts = {
  ...chineseFirst,
  translation,
  sentences: { ...sentences, ...fieldReason },
}
