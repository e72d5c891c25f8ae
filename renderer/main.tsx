import './first-styles.ts'
import './base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadCode } from './components/lazy/load-code.ts'
import { Console } from './console.tsx'
import { createHttpClient } from './gateway/http.ts'
import { createIpcClient } from './gateway/ipc.ts'
import { readLanguage } from './i18n/languages.ts'
import { startTranslation } from './i18n/start-translation.ts'
import { textsOf } from './i18n/texts-of.ts'
import { prefetchPages } from './prefetch-pages.ts'
import { StartFailure } from './start-failure.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const language = readLanguage()
const page = createRoot(root)

loadCode(textsOf[language].first).then(
  (texts) => {
    const client = window.switchyard ? createIpcClient(window.switchyard) : createHttpClient()
    const translation = startTranslation(language, texts)
    page.render(
      <StrictMode>
        <Console client={client} translation={translation} />
      </StrictMode>,
    )
    prefetchPages(translation)
  },
  () => page.render(<StartFailure language={language} />),
)
