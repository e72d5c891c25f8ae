import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { dictionaries } from './dictionary.ts'
import { keepLanguage, type Language, readLanguage } from './languages.ts'

/** The translator of this window; changing its language is remembered and marks the document. */
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
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  })
  return translation
}
