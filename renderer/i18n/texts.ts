import type * as english from './english/dictionary.ts'
import type * as englishFirst from './english/first-dictionary.ts'

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

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Dictionary }
  }
}
