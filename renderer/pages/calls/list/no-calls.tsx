import { Button } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../../components/feedback/empty.tsx'
import { NoMatch } from '../../../components/feedback/no-match.tsx'

interface NoCallsProps {
  isFiltered: boolean
  onClear: () => void
}

export function NoCalls({ isFiltered, onClear }: NoCallsProps) {
  const { t } = useTranslation()
  if (isFiltered) {
    return <NoMatch title={t('calls.noMatch')} hint={t('calls.noMatchHint')} onClear={onClear} />
  }
  return (
    <Empty
      icon={<IconListDetails size={20} />}
      title={t('calls.empty')}
      hint={t('calls.emptyHint')}
    >
      <Button component={Link} href="/playground">
        {t('calls.openPlayground')}
      </Button>
      <Button component={Link} href="/connect" variant="default">
        {t('calls.connectTool')}
      </Button>
    </Empty>
  )
}
