import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import type { ConnectTool, UndoneTool } from '../../../gateway/records.ts'
import styles from '../connect.module.css'
import { RemainingSteps } from '../steps/remaining-steps.tsx'
import { isWaiting } from '../tool-state.ts'
import { UndoButton } from '../undo-button.tsx'
import { useUndo } from '../use-undo.ts'
import { WaitingMark } from '../waiting-mark.tsx'

interface FirstCallProps {
  /** As it was read last. */
  tool: ConnectTool
  onUndone: (outcome: UndoneTool) => void
  onClose: () => void
}

export function FirstCall({ tool, onUndone, onClose }: FirstCallProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const undo = useUndo(tool, onUndone)
  const { name, status, connected_at, last_call_at } = tool
  const hasCalled = status === 'here' && connected_at !== null && !isWaiting(tool)
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{t('connectTools.appliedTitle', { name })}</Text>
        <Text c="dimmed">{t('connectTools.appliedHint')}</Text>
      </div>
      {hasCalled ? (
        <div role="status" className={styles.call} data-arrived>
          <IconCircleCheck size={18} color="var(--good)" aria-hidden />
          <div>
            <Text c="var(--good)" fw={600}>
              {t('connectTools.called', { time: format.time(last_call_at) })}
            </Text>
            <Anchor component={Link} href="/calls">
              {t('connectTools.showCalls')}
            </Anchor>
          </div>
        </div>
      ) : (
        <>
          <RemainingSteps tool={tool} />
          <WaitingMark tool={tool} />
        </>
      )}
      <FailureNote failure={undo.failure} />
      <Group justify="flex-end" gap={8}>
        {tool.can_undo && <UndoButton tool={tool} undo={undo} />}
        <Button onClick={onClose}>{t('common.close')}</Button>
      </Group>
    </Stack>
  )
}
