import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Empty } from './empty.tsx'

interface NoMatchProps {
  title: string
  hint: string
  onClear: () => void
}

/** Nothing passes the filters, which can be cleared. */
export function NoMatch({ title, hint, onClear }: NoMatchProps) {
  const { t } = useTranslation()
  return (
    <Empty icon={<IconFilterOff size={20} />} title={title} hint={hint}>
      <Button variant="default" onClick={onClear}>
        {t('calls.clearFilters')}
      </Button>
    </Empty>
  )
}
