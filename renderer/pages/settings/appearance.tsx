import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LanguageSelect } from '../../components/forms/language-select.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { SettingLine } from './setting-line.tsx'

/** Stored in this browser. */
export function Appearance() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title={t('settings.appearance')}>
      <SettingLine label={t('settings.language')}>
        <LanguageSelect />
      </SettingLine>
      <SettingLine label={t('settings.theme')}>
        <SegmentedControl
          aria-label={t('settings.theme')}
          data={[
            { value: 'light', label: t('settings.light') },
            { value: 'dark', label: t('settings.dark') },
            { value: 'auto', label: t('settings.system') },
          ]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </SettingLine>
    </Panel>
  )
}
