import { createInstance, type FormatterModule, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { keepLanguage, type Language } from './languages.ts'
import type { FirstTexts } from './texts.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Counts are grouped wherever they stand: 2,932 calls. Other numbers, such as ports, stay as they are. */
const groupedCounts: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format(value: unknown, format, language = 'en', { interpolationkey: name } = {}): string {
    if (typeof value !== 'number' || (format !== 'number' && name !== 'count'))
      return value as string
    const known = numberFormats.get(language) ?? new Intl.NumberFormat(language)
    numberFormats.set(language, known)
    return known.format(value)
  },
}

/** A change of language is stored and sets the document's `lang`. */
export function startTranslation(language: Language, texts: FirstTexts): i18n {
  const translation = createInstance()
  translation.on('languageChanged', (changed) => {
    document.documentElement.lang = changed === 'zh' ? 'zh-CN' : 'en'
    keepLanguage(changed === 'zh' ? 'zh' : 'en')
  })
  void translation
    .use(initReactI18next)
    .use(groupedCounts)
    .init({
      lng: language,
      // No language lacks a text.
      fallbackLng: false,
      initAsync: false,
      resources: { [language]: { ...texts } },
      // React already escapes.
      interpolation: { escapeValue: false, alwaysFormat: true },
    })
  return translation
}
