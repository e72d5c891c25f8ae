import type { i18n } from 'i18next'
import { loadCode } from '../components/lazy/load-code.ts'
import { keepLanguage, type Language } from './languages.ts'
import { loadAllTexts } from './load-texts.ts'

/** Stays with the language as it is if the other can’t be loaded now. */
export async function changeLanguage(translation: i18n, language: Language): Promise<void> {
  // Kept before, for a load that starts the console anew.
  keepLanguage(language)
  const isLoaded = await loadCode(() => loadAllTexts(translation, language)).then(
    () => true,
    () => false,
  )
  if (isLoaded) await translation.changeLanguage(language)
}
