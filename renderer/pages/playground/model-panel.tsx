import { ActionIcon, Collapse, Group, Stack, Tooltip } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogueEntry } from '../../gateway/records.ts'
import { ModelPicker } from './model/model-picker.tsx'
import styles from './playground.module.css'

interface ModelPanelProps {
  entries: readonly CatalogueEntry[]
  model: string
  onChoose: (id: string) => void
  /** Parameters of the mode. */
  children: ReactNode
}

export function ModelPanel({ entries, model, onChoose, children }: ModelPanelProps) {
  const { t } = useTranslation()
  const [opened, panel] = useDisclosure(false)
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })

  return (
    <aside className={styles.parameters} aria-label={t('playground.parameters')}>
      <Stack gap="md">
        <Group gap={8} wrap="nowrap" align="flex-end">
          <ModelPicker
            entries={entries}
            model={model}
            onChoose={onChoose}
            label={t('playground.model')}
            bare={isNarrow}
          />
          {isNarrow && (
            <Tooltip label={t('playground.parameters')}>
              <ActionIcon
                variant="default"
                size={30}
                onClick={panel.toggle}
                aria-expanded={opened}
                aria-label={t('playground.parameters')}
              >
                <IconAdjustments size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
        <Collapse expanded={!isNarrow || opened}>{children}</Collapse>
      </Stack>
    </aside>
  )
}
