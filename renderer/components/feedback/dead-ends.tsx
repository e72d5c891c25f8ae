import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Page } from '../layout/page.tsx'

/** A page with nothing on it but the way back. */
function DeadEnd(text: { title: string; hint: string }) {
  const { t } = useTranslation()
  return (
    <Page {...text}>
      <div>
        <Button component={Link} href="/">
          {t('common.toOverview')}
        </Button>
      </div>
    </Page>
  )
}

export function MissingPage() {
  const { t } = useTranslation()
  return <DeadEnd title={t('common.pageMissing')} hint={t('common.pageMissingHint')} />
}

/** In the place of a page of which the signed-in user could see nothing, nor use its buttons. */
export function RefusedPage({ title, isOwners }: { title: string; isOwners: boolean }) {
  const { t } = useTranslation()
  return <DeadEnd title={title} hint={t(isOwners ? 'common.pageOfOwner' : 'common.pageRefused')} />
}
