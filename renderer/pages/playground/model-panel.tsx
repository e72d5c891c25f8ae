import { ActionIcon, Collapse, Group, Select, Stack, Tooltip } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogueEntry } from '../../gateway/records.ts'
import styles from './playground.module.css'

interface ModelPanelProps {
  entries: readonly CatalogueEntry[]
  model: string
  onChoose: (id: string) => void
  /** Stays visible in a narrow window, where the parameters are folded. */
  action?: ReactNode
  /** Parameters of the mode. */
  children: ReactNode
}

export function ModelPanel({ entries, model, onChoose, action, children }: ModelPanelProps) {
  const { t } = useTranslation()
  const [opened, panel] = useDisclosure(false)
  const isNarrow = useMediaQuery('(max-width: 900px)', false)
  const able = new Map(
    entries.map(({ id, capabilities }) => [
      id,
      capabilities.map((capability) => t(`capabilities.${capability}`)).join(' · '),
    ]),
  )

  return (
    <aside className={styles.parameters} aria-label={t('playground.parameters')}>
      <Stack gap="md">
        <Group gap={8} wrap="nowrap" align="flex-end">
          <Select
            flex={1}
            label={isNarrow ? undefined : t('playground.model')}
            aria-label={t('playground.model')}
            data={entries.map(({ id, display_name }) => ({ value: id, label: display_name }))}
            renderOption={({ option }) => (
              <span className={styles.option}>
                <span>{option.label}</span>
                {option.label !== option.value && <span className="mono">{option.value}</span>}
                <span className={styles.able}>{able.get(option.value)}</span>
              </span>
            )}
            comboboxProps={{ width: 280, position: 'bottom-end' }}
            searchable
            allowDeselect={false}
            value={model}
            onChange={(id) => id !== null && onChoose(id)}
          />
          {isNarrow && (
            <>
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
              {action}
            </>
          )}
        </Group>
        <Collapse expanded={!isNarrow || opened}>{children}</Collapse>
      </Stack>
    </aside>
  )
}
