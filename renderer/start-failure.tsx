import type { Language } from './i18n/languages.ts'

/** Here, since the files with all other texts are those that are missing. */
const words = {
  en: { message: 'The console couldn’t be loaded. Is Switchyard still running?', reload: 'Reload' },
  zh: { message: '控制台无法加载。Switchyard 还在运行吗？', reload: '重新加载' },
}

/** Instead of an empty page. */
export function StartFailure({ language }: { language: Language }) {
  const { message, reload } = words[language]
  return (
    <main style={{ padding: 40, fontFamily: 'system-ui, sans-serif' }}>
      <p role="alert">{message}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {reload}
      </button>
    </main>
  )
}
