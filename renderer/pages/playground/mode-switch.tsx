import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CatalogueEntry } from '../../gateway/records.ts'
import { type Mode, modeEntries, modesOf } from './modes.ts'
import styles from './playground.module.css'

interface ModeSwitchProps {
  entry: CatalogueEntry
  mode: Mode
  onChoose: (mode: Mode) => void
}

/** Hidden when the model has only one mode. */
export function ModeSwitch({ entry, mode, onChoose }: ModeSwitchProps) {
  const { t } = useTranslation()
  const modes = modesOf(entry)
  if (modes.length < 2) return null
  const offered = modeEntries.filter((one) => modes.includes(one.mode))
  return (
    <div className={styles.modes}>
      <SegmentedControl
        aria-label={t('tasks.choose')}
        value={mode}
        onChange={(value) => onChoose(value as Mode)}
        data={offered.map(({ mode: value, icon: Icon }) => ({
          value,
          label: (
            <span className={styles.mode} data-chosen={value === mode || undefined}>
              <Icon size={15} aria-hidden />
              <span>{t(`tasks.${value}`)}</span>
            </span>
          ),
        }))}
      />
    </div>
  )
}
