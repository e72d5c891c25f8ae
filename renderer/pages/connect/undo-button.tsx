import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import type { ConnectTool } from '../../gateway/records.ts'
import styles from './connect.module.css'
import type { Undo } from './use-undo.ts'

/** Asks where to, where the tool pointed to another Switchyard before. */
export function UndoButton({ tool, undo }: { tool: ConnectTool; undo: Undo }) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const { name, other_gateway_before: other } = tool
  const leadTo = (to: 'before' | 'none') => {
    question.close()
    void undo.run(to)
  }
  return (
    <>
      <ActionButton
        variant="default"
        busy={undo.busy}
        busyLabel={t('connectTools.undoing')}
        onCancel={undo.cancel}
        onClick={() => (other === null ? void undo.run('before') : question.open())}
        aria-label={t('connectTools.undoNamed', { name })}
      >
        {t('connectTools.undo')}
      </ActionButton>
      <Modal
        opened={asking}
        onClose={question.close}
        title={t('connectTools.undoNamed', { name })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack gap="md">
          <Text className={styles.breaks}>
            {t('connectTools.otherBefore', { name, address: other })}
          </Text>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => leadTo('none')}>
              {t('connectTools.toNone')}
            </Button>
            <Button onClick={() => leadTo('before')} data-autofocus>
              {t('connectTools.toOther')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
