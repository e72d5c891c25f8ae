import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../preload/contract.ts'
import { ConfirmDialog } from '../../components/actions/confirm-dialog.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import styles from './connect.module.css'

type Outcome = OperationOutput<'connect.undo-all'>

/** Nothing where no tool is connected, or where this page may not write. */
export function DisconnectAll() {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, question] = useDisclosure(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { data } = useOperation('connect.tools', {})
  const undoAll = useAction('connect.undo-all', ['connect.tools', 'token.list'])
  const tools = data?.tools ?? []
  const connected = data?.local ? tools.filter(({ can_undo }) => can_undo) : []
  const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id

  const confirm = async () => {
    const reply = await undoAll.run({})
    if (!reply) return
    question.close()
    setOutcome(reply.data)
  }
  const close = () => {
    undoAll.cancel()
    undoAll.reset()
    question.close()
  }
  return (
    <>
      {connected.length > 0 && (
        <Button variant="default" onClick={question.open}>
          {t('connectTools.disconnectAll')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('connectTools.disconnectAll')}
        text={t('connectTools.disconnectText', {
          names: format.list(connected.map(({ name }) => name)),
        })}
        verb={t('connectTools.disconnectAll')}
        busyLabel={t('connectTools.undoing')}
        busy={undoAll.busy}
        failure={undoAll.failure}
        onConfirm={() => void confirm()}
        onCancelRun={undoAll.cancel}
        onClose={close}
      />
      <Modal
        opened={outcome !== null}
        onClose={() => setOutcome(null)}
        title={t('connectTools.disconnected')}
        size="sm"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack gap="sm">
          {outcome && outcome.undone.length > 0 && (
            <Text>
              {t('connectTools.undoneTools', { names: format.list(outcome.undone.map(nameOf)) })}
            </Text>
          )}
          {outcome?.tokens.map(({ id, name, kept }) => (
            <Text key={id} className={styles.breaks}>
              {t(`connectTools.ownToken_${kept ?? 'removed'}`, { name })}
            </Text>
          ))}
          {outcome?.other_gateways.map(({ tool, address }) => (
            <Text key={tool} className={styles.breaks}>
              <b>{nameOf(tool)}</b>: {t('connectTools.otherAgain', { address })}
            </Text>
          ))}
          {outcome && outcome.failed.length > 0 && (
            <ul className={styles.list}>
              {outcome.failed.map(({ tool, problem }) => (
                <li key={tool}>
                  <b>{nameOf(tool)}</b>: {problem}
                </li>
              ))}
            </ul>
          )}
          <Group justify="flex-end">
            <Button onClick={() => setOutcome(null)}>{t('common.close')}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
