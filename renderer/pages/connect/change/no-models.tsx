import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../../components/feedback/empty.tsx'

export function NoModels() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={<IconRoute size={20} />}
      title={t('connectTools.noModels')}
      hint={t('connectTools.noModelsHint')}
    >
      <Button component={Link} href="/channels?new=1">
        {t('shell.newChannel')}
      </Button>
    </Empty>
  )
}
