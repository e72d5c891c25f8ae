import * as chinese from './chinese/dictionary.ts'
import * as english from './english/dictionary.ts'

/** A key that one language lacks doesn't compile. */
export type Dictionary = typeof english

export const dictionaries: Record<'en' | 'zh', Dictionary> = { en: english, zh: chinese }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Dictionary }
  }
}
