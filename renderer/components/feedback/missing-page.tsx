import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Page } from '../layout/page.tsx'

export function MissingPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('common.pageMissing')} hint={t('common.pageMissingHint')}>
      <div>
        <Button component={Link} href="/">
          {t('common.toOverview')}
        </Button>
      </div>
    </Page>
  )
}
