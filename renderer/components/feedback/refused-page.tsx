import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Page } from '../layout/page.tsx'

/** In the place of a page of which the signed-in user could see nothing, nor use its buttons. */
export function RefusedPage({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <Page title={title} hint={t('common.pageRefused')}>
      <div>
        <Button component={Link} href="/">
          {t('common.toOverview')}
        </Button>
      </div>
    </Page>
  )
}
