import type { FirstTexts } from '../texts.ts'
import * as translation from './first-dictionary.ts'

export const englishFirst: FirstTexts = { translation }
