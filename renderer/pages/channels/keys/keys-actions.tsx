import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.tsx'
import { Busy } from '../../../components/feedback/busy.tsx'
import type { Action } from '../../../gateway/queries.ts'
import type { KeyPage } from './key-page.ts'

interface KeysActionsProps {
  channelId: number
  counts: Pick<KeyPage, 'enabled_count' | 'manual_disabled_count' | 'auto_disabled_count'>
  change: Action<'channel.multi-key'>
}

export function KeysActions({ channelId, counts, change }: KeysActionsProps) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const { enabled_count: on, auto_disabled_count: auto, manual_disabled_count: off } = counts
  const run = (action: 'enable_all_keys' | 'disable_all_keys' | 'delete_disabled_keys') =>
    change.run({ channel_id: channelId, action })

  const confirmDelete = async () => {
    if (await run('delete_disabled_keys')) question.close()
  }
  if (change.busy && !asking) {
    return <Busy label={t('channelKeys.changing')} onCancel={change.cancel} />
  }
  return (
    <Group gap={8}>
      <Button
        variant="default"
        disabled={off + auto === 0}
        onClick={() => void run('enable_all_keys')}
      >
        {t('channelKeys.enableAll')}
      </Button>
      <Button variant="default" disabled={on === 0} onClick={() => void run('disable_all_keys')}>
        {t('channelKeys.disableAll')}
      </Button>
      <Button
        variant="default"
        c={auto === 0 ? undefined : 'var(--bad)'}
        disabled={auto === 0}
        onClick={question.open}
      >
        {t('channelKeys.deleteDisabled')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('channelKeys.deleteDisabled')}
        text={t('channelKeys.deleteDisabledText', { count: auto })}
        verb={t('channelKeys.deleteDisabled')}
        busyLabel={t('common.deleting')}
        busy={change.busy}
        failure={change.failure}
        onConfirm={() => void confirmDelete()}
        onCancelRun={change.cancel}
        onClose={question.close}
      />
    </Group>
  )
}
