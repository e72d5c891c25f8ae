import type { Texts } from '../texts.ts'
import * as translation from './dictionary.ts'
import { chineseFirst } from './first-texts.ts'

export const chinese: Texts = { ...chineseFirst, translation }
