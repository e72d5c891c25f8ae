import type { Texts } from '../texts.ts'
import * as translation from './dictionary.ts'

export const english: Texts = { translation }
