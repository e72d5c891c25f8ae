import { Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelPreset } from '../../../gateway/records.ts'
import styles from './preset-picker.module.css'
import { usePresetText } from './use-preset-text.ts'

interface PresetPickerProps {
  presets: readonly ChannelPreset[]
  onPick: (id: string) => void
}

/** Enter picks the first match. */
export function PresetPicker({ presets, onPick }: PresetPickerProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const { nameOf } = usePresetText()
  const shown = presets.filter((preset) =>
    `${nameOf(preset)} ${preset.name} ${preset.id}`.toLowerCase().includes(wanted),
  )

  return (
    <>
      <TextInput
        mb="sm"
        autoFocus
        data-autofocus
        leftSection={<IconSearch size={14} />}
        placeholder={t('channelForm.vendorSearch')}
        aria-label={t('channelForm.vendorSearch')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = shown[0]
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first) return
          // The form takes the focus at once: the same key would submit it.
          event.preventDefault()
          onPick(first.id)
        }}
      />
      <ul className={styles.list} aria-label={t('channelForm.vendor')}>
        {shown.map((preset) => (
          <li key={preset.id}>
            <UnstyledButton className={styles.preset} onClick={() => onPick(preset.id)}>
              <span className={styles.mark} aria-hidden>
                {nameOf(preset).slice(0, 1)}
              </span>
              <span className={styles.words}>
                <span className={styles.name}>{nameOf(preset)}</span>
                <span className={styles.address}>{hostOf(preset.base_url)}</span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <Text c="dimmed">{t('channelForm.noVendor')}</Text>}
    </>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
