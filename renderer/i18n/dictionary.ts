import * as chinese from './chinese/dictionary.ts'
import * as english from './english/dictionary.ts'

/** Every text of the console; a key that one language lacks does not compile. */
export type Dictionary = typeof english

export const dictionaries: Record<'en' | 'zh', Dictionary> = { en: english, zh: chinese }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Dictionary }
  }
}
