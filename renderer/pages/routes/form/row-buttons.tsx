import { ActionIcon, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { focusBeside } from '../../../components/forms/focus-beside.ts'
import styles from './route-form.module.css'

interface RowButtonsProps {
  /** "Target 1". */
  name: string
  isFirst: boolean
  isLast: boolean
  /** By -1 or 1. */
  onMove: (step: number) => void
  /** Absent for a row that must stay. */
  onRemove?: (() => void) | undefined
}

/** Moves a row of a list, or removes it. At an end of the list a button does nothing, but keeps the focus. */
export function RowButtons({ name, isFirst, isLast, onMove, onRemove }: RowButtonsProps) {
  const { t } = useTranslation()
  const off = (isOff: boolean) => (isOff ? { 'aria-disabled': true, 'data-disabled': true } : {})
  return (
    <Group gap={0} wrap="nowrap" ml="auto" flex="none">
      <ActionIcon
        className={styles.move}
        {...off(isFirst)}
        aria-label={t('routes.up', { name })}
        onClick={() => !isFirst && onMove(-1)}
      >
        <IconArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        className={styles.move}
        {...off(isLast)}
        aria-label={t('routes.down', { name })}
        onClick={() => !isLast && onMove(1)}
      >
        <IconArrowDown size={14} />
      </ActionIcon>
      {onRemove && (
        <ActionIcon
          aria-label={t('common.remove', { name })}
          onClick={({ currentTarget }) => {
            focusBeside(currentTarget, currentTarget.closest('li'))
            onRemove()
          }}
        >
          <IconX size={14} />
        </ActionIcon>
      )}
    </Group>
  )
}
