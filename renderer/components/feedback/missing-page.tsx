import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from './empty.tsx'

export function MissingPage() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={<IconMapOff size={20} />}
      title={t('common.pageMissing')}
      hint={t('common.pageMissingHint')}
    >
      <Button component={Link} href="/">
        {t('common.toOverview')}
      </Button>
    </Empty>
  )
}
