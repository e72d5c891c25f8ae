import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { dictionaries } from './dictionary.ts'
import { keepLanguage, type Language, readLanguage } from './languages.ts'

/** A change of language is stored and sets the document's `lang`. */
export function startTranslation(language: Language = readLanguage()): i18n {
  const translation = createInstance()
  translation.on('languageChanged', (changed) => {
    document.documentElement.lang = changed === 'zh' ? 'zh-CN' : 'en'
    keepLanguage(changed === 'zh' ? 'zh' : 'en')
  })
  void translation.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    initAsync: false,
    resources: {
      en: { translation: dictionaries.en },
      zh: { translation: dictionaries.zh },
    },
    // React already escapes.
    interpolation: { escapeValue: false },
  })
  return translation
}
