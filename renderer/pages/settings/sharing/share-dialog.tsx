import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { useSharing } from './use-sharing.ts'

const changes = ['pages', 'balance', 'prices', 'network'] as const

/** Names every change before it is made. */
export function ShareDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sharing = useSharing()
  const self = useOperation('user.self', {})
  const server = useOperation('server.get', {})
  const close = () => {
    sharing.cancel()
    sharing.reset()
    onClose()
  }
  const facts = { balance: format.money(self.data?.quota), url: server.data?.url ?? '' }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('sharing.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="md">
        <Text>{t('sharing.changes')}</Text>
        <List spacing={6} style={{ overflowWrap: 'anywhere' }}>
          {changes.map((change) => (
            <List.Item key={change}>{t(`sharing.change_${change}`, facts)}</List.Item>
          ))}
        </List>
        <Text c="dimmed">{t('sharing.back')}</Text>
        <FailureNote failure={sharing.failure} />
        <Group justify="flex-end" gap={8}>
          {!sharing.busy && (
            <Button variant="default" onClick={close} data-autofocus>
              {t('sharing.notNow')}
            </Button>
          )}
          <ActionButton
            busy={sharing.busy}
            busyLabel={t('sharing.starting')}
            onCancel={sharing.cancel}
            onClick={() => void sharing.start().then((reply) => reply && close())}
          >
            {t('sharing.confirm')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  )
}
