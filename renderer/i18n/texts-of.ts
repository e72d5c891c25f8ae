import type { Language } from './languages.ts'
import type { FirstTexts, Texts } from './texts.ts'

interface TextsOf {
  first(): Promise<FirstTexts>
  all(): Promise<Texts>
}

/** Each language is loaded when it's used, and what the first screen doesn't say after it. */
export const textsOf: Readonly<Record<Language, TextsOf>> = {
  en: {
    first: async () => (await import('./english/first-texts.ts')).englishFirst,
    all: async () => (await import('./english/texts.ts')).english,
  },
  zh: {
    first: async () => (await import('./chinese/first-texts.ts')).chineseFirst,
    all: async () => (await import('./chinese/texts.ts')).chinese,
  },
}
