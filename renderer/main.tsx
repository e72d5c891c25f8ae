import '@mantine/core/styles.css'
import './base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { createHttpClient } from './gateway/http.ts'
import { createIpcClient } from './gateway/ipc.ts'
import { readLanguage } from './i18n/languages.ts'
import { startTranslation } from './i18n/start-translation.ts'
import { textsOf } from './i18n/texts-of.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const language = readLanguage()
const translation = startTranslation(language, await textsOf[language].first())
const client = window.switchyard ? createIpcClient(window.switchyard) : createHttpClient()

createRoot(root).render(
  <StrictMode>
    <Console client={client} translation={translation} />
  </StrictMode>,
)
