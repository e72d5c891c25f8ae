import type { i18n } from 'i18next'
import type { Language } from './languages.ts'
import { textsOf } from './texts-of.ts'

/** A section that no first screen uses: it's there with all others. */
const lastSection = 'options'

export function hasAllTexts(translation: i18n, language = translation.language): boolean {
  return translation.getResource(language, 'translation', lastSection) !== undefined
}

/** Adds the texts of a language that aren't there yet. */
export async function loadAllTexts(
  translation: i18n,
  language = translation.language as Language,
): Promise<void> {
  if (hasAllTexts(translation, language)) return
  for (const [kind, texts] of Object.entries(await textsOf[language].all())) {
    translation.addResourceBundle(language, kind, texts)
  }
}
