/** Each by its own name. */
export const languages = { en: 'English', zh: '简体中文' } as const

export type Language = keyof typeof languages

const storageKey = 'switchyard-language'

/** The stored language, else the browser's, else English. */
export function readLanguage(): Language {
  const chosen = readStored()
  if (chosen === 'en' || chosen === 'zh') return chosen
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
