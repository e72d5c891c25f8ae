import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'

interface PagerProps {
  /** 1-based. */
  page: number
  pageSize: number
  total: number
  onChange: (page: number) => void
}

/** Hidden when one page holds all. */
export function Pager({ page, pageSize, total, onChange }: PagerProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (total <= pageSize) return null
  const from = (page - 1) * pageSize + 1
  const to = Math.min(page * pageSize, total)
  return (
    <Group justify="flex-end" gap={6} px="sm" py={8} style={{ borderTop: '1px solid var(--line)' }}>
      <Text c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {t('common.range', {
          ...{ from: format.count(from), to: format.count(to), total: format.count(total) },
        })}
      </Text>
      <ActionIcon
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
        aria-label={t('common.previous')}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        disabled={to >= total}
        onClick={() => onChange(page + 1)}
        aria-label={t('common.next')}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  )
}
