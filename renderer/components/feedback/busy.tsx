import { Button, Group, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const patience = 250

/** Appears after a short delay, so that quick answers show nothing. */
export function Busy({ label, onCancel }: { label: string; onCancel: () => void }) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), patience)
    return () => clearTimeout(timer)
  }, [])
  if (!visible) return <div aria-busy="true" style={{ minHeight: 30 }} />
  return (
    <Group gap="xs" role="status" aria-live="polite" mih={30}>
      <Loader size={14} aria-hidden />
      <Text c="dimmed">{label}</Text>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </Group>
  )
}
