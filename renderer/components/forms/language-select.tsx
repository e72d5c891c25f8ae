import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../../i18n/change-language.ts'
import { type Language, languages } from '../../i18n/languages.ts'

export function LanguageSelect() {
  const { i18n } = useTranslation()
  const data = Object.entries(languages).map(([value, label]) => ({ value, label }))
  return (
    <SegmentedControl
      aria-label="Language / 语言"
      data={data}
      value={i18n.language}
      onChange={(language) => void changeLanguage(i18n, language as Language)}
    />
  )
}
