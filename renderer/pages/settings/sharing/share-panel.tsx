import { Anchor, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { ShareDialog } from './share-dialog.tsx'
import { useSharing } from './use-sharing.ts'

const one = { p: 1, page_size: 1 }

/** Leaves self-use mode, and returns to it when nobody but the owner is left; `?share=1` asks at once. */
export function SharePanel() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const isShared = useIsShared()
  const users = useOperation('user.list', one, { enabled: isShared })
  const sharing = useSharing()
  const others = (users.data?.total ?? 1) - 1
  if (!isShared) {
    return (
      <Panel title={t('sharing.title')} hint={t('sharing.hint')}>
        <Button variant="default" onClick={() => setSearch({ share: '1' })}>
          {t('sharing.share')}
        </Button>
        <ShareDialog
          opened={search.has('share')}
          onClose={() => setSearch({}, { replace: true })}
        />
      </Panel>
    )
  }
  return (
    <Panel title={t('sharing.title')} hint={t('sharing.isShared')}>
      <Group gap={12}>
        <ActionButton
          variant="default"
          disabled={!users.isSuccess || others > 0}
          busy={sharing.busy}
          busyLabel={t('sharing.stopping')}
          onCancel={sharing.cancel}
          onClick={() => void sharing.stop()}
        >
          {t('sharing.stop')}
        </ActionButton>
        <Text c="dimmed">
          {others > 0 ? t('sharing.others', { count: others }) : t('sharing.nobody')}{' '}
          <Anchor component={Link} href="/users" inherit underline="always">
            {t('sharing.toUsers')}
          </Anchor>
        </Text>
      </Group>
      <FailureNote failure={sharing.failure} />
    </Panel>
  )
}
