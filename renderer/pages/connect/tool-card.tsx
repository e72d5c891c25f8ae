import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import type { ConnectTool, UndoneTool } from '../../gateway/records.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import styles from './connect.module.css'
import { NewAddressButton, useUpdateAddress } from './new-address.tsx'
import { RemainingSteps } from './steps/remaining-steps.tsx'
import { isWaiting } from './tool-state.ts'
import { ToolStatus } from './tool-status.tsx'
import { UndoButton } from './undo-button.tsx'
import { UndoOutcome } from './undo-outcome.tsx'
import { useUndo } from './use-undo.ts'
import { WaitingMark } from './waiting-mark.tsx'

interface ToolCardProps {
  tool: ConnectTool
  /** False where nothing may be written from here. */
  isLocal: boolean
  /** Outcome of the last Undo. */
  undone: UndoneTool | undefined
  onOpen: () => void
  onUndone: (outcome: UndoneTool) => void
  onDismiss: () => void
}

export function ToolCard(props: ToolCardProps) {
  const { tool, isLocal, undone, onOpen, onUndone, onDismiss } = props
  const { t } = useTranslation()
  const { name } = tool
  const undo = useUndo(tool, onUndone)
  const update = useUpdateAddress()
  const isAtOld = isLocal && tool.old_address !== null
  const isEdited = isLocal && tool.kind === 'file' && tool.status !== 'broken'
  const verb = verbOf(tool, isEdited)

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
          <UndoOutcome outcome={undone} />
        </Alert>
      )}
      <FailureNote failure={undo.failure ?? update.failure} />
      <Group gap={8} className={styles.buttons}>
        {isAtOld && <NewAddressButton update={update} tool={tool} />}
        <Button
          variant={verb === 'connect' && tool.installed && !isAtOld ? 'filled' : 'default'}
          onClick={onOpen}
          aria-label={t(`connectTools.${verb}Named`, { name })}
        >
          {t(`connectTools.${verb}`)}
        </Button>
        {isLocal && tool.can_undo && <UndoButton tool={tool} undo={undo} />}
      </Group>
    </li>
  )
}

function verbOf({ kind, status, old_address: oldAddress }: ConnectTool, isEdited: boolean) {
  if (isEdited) return status === 'here' || oldAddress !== null ? 'change' : 'connect'
  return kind === 'file' ? 'show' : 'showSteps'
}

/** `127.0.0.1:4747` */
const hostOf = (address: string) => new URL(address).host

function ToolFacts({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { status, points_to, problem, files, token, chosen, last_call_at } = tool
  const { old_address, other_gateway } = tool
  const isOurs = status === 'here' || status === 'changed'
  const models = [...new Set(Object.values(chosen ?? {}))]
  return (
    <div className={styles.facts}>
      {old_address && (
        <Text className={styles.breaks}>
          {t('connectTools.pointsToOld')} <span className="mono">{hostOf(old_address)}</span>
        </Text>
      )}
      {other_gateway && (
        <Text className={styles.breaks}>
          {t('connectTools.pointsToOther')} <span className="mono">{hostOf(other_gateway)}</span>
        </Text>
      )}
      {problem && old_address === null && (
        <Text c={status === 'broken' ? 'var(--bad)' : undefined} className={styles.breaks}>
          {say({ message: problem, reason: tool.problem_reason })}
        </Text>
      )}
      {status === 'elsewhere' && points_to && other_gateway === null && (
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
        <Stack gap={10} mt={4}>
          <RemainingSteps tool={tool} />
          <WaitingMark tool={tool} />
        </Stack>
      ) : (
        isOurs &&
        last_call_at !== null && (
          <Text c="dimmed">{t('connectTools.lastCall', { time: format.time(last_call_at) })}</Text>
        )
      )}
    </div>
  )
}
