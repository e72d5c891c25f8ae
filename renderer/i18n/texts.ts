import type * as english from './english/dictionary.ts'
import type * as englishFirst from './english/first-dictionary.ts'
import type { Language } from './languages.ts'

export type Dictionary = typeof english

/** Everything that the console says in one language. */
export interface Texts extends FirstTexts {
  /** A key that one language lacks doesn't compile. */
  translation: Dictionary
}

/** Enough for the first screen. */
export interface FirstTexts {
  translation: typeof englishFirst
  /** Sentences of the gateway, by code; none where they are in the language already. */
  sentences?: Readonly<Record<string, string>>
  /** Kinds of failures, by code. */
  failureHeads?: Readonly<Record<string, string>>
}

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

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Dictionary }
  }
}
