import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import type { ConnectTool, RestoredFile } from '../../gateway/records.ts'
import styles from './connect.module.css'
import { RestoredFiles } from './restored-files.tsx'
import { isWaiting } from './tool-state.ts'
import { ToolStatus } from './tool-status.tsx'
import { UndoButton } from './undo-button.tsx'
import { useUndo } from './use-undo.ts'
import { WaitingMark } from './waiting-mark.tsx'

interface ToolCardProps {
  tool: ConnectTool
  /** False where nothing may be written from here. */
  isLocal: boolean
  /** Files that the last Undo restored. */
  undone: readonly RestoredFile[] | undefined
  onOpen: () => void
  onUndone: (files: readonly RestoredFile[]) => void
  onDismiss: () => void
}

export function ToolCard(props: ToolCardProps) {
  const { tool, isLocal, undone, onOpen, onUndone, onDismiss } = props
  const { t } = useTranslation()
  const { name } = tool
  const undo = useUndo(tool, onUndone)
  const isEdited = isLocal && tool.kind === 'file' && tool.status !== 'broken'
  const verb = !isEdited ? 'show' : tool.status === 'here' ? 'change' : 'connect'

  return (
    <li className={styles.card}>
      <Group justify="space-between" gap={8} align="flex-start" wrap="nowrap">
        <Title order={3}>{name}</Title>
        <ToolStatus tool={tool} />
      </Group>
      <ToolFacts tool={tool} />
      {undone && (
        <Alert
          role="status"
          color="gray"
          title={t('connectTools.undone')}
          withCloseButton
          closeButtonLabel={t('common.close')}
          onClose={onDismiss}
        >
          <RestoredFiles files={undone} />
        </Alert>
      )}
      <FailureNote failure={undo.failure} />
      <Group gap={8} className={styles.buttons}>
        <Button
          variant={verb === 'connect' && tool.installed ? 'filled' : 'default'}
          onClick={onOpen}
          aria-label={t(`connectTools.${verb}Named`, { name })}
        >
          {t(`connectTools.${verb}`)}
        </Button>
        {isLocal && tool.can_undo && <UndoButton name={name} undo={undo} />}
      </Group>
    </li>
  )
}

function ToolFacts({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, points_to, problem, files, token, chosen, last_call_at } = tool
  const isOurs = status === 'here' || status === 'changed'
  const models = [...new Set(Object.values(chosen ?? {}))]
  return (
    <div className={styles.facts}>
      {problem && (
        <Text c={status === 'broken' ? 'var(--bad)' : undefined} className={styles.breaks}>
          {problem}
        </Text>
      )}
      {status === 'elsewhere' && points_to && (
        <Text className={styles.breaks}>
          {t('connectTools.pointsTo')} <span className="mono">{points_to}</span>
        </Text>
      )}
      {files
        .filter(({ exists }) => exists)
        .map(({ path }) => (
          <div key={path}>
            <CopyText value={path} label={t('connectTools.file')} wraps />
          </div>
        ))}
      {isOurs && token && (
        <Text c="dimmed" className={styles.breaks}>
          {t('connectTools.withToken', { name: token.name })}
          {models.length > 0 && ` · ${models.join(', ')}`}
        </Text>
      )}
      {isWaiting(tool) ? (
        <WaitingMark name={tool.name} />
      ) : (
        isOurs &&
        last_call_at !== null && (
          <Text c="dimmed">{t('connectTools.lastCall', { time: format.time(last_call_at) })}</Text>
        )
      )}
    </div>
  )
}
