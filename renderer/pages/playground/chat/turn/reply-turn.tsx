import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconGitBranch, IconPencil, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../../components/feedback/busy.tsx'
import { ErrorCard } from '../../run/error-card.tsx'
import type { Turn } from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import { ReplyFigures } from './reply-figures.tsx'
import { ReplyText } from './reply-text.tsx'
import { ToolCalls } from './tool-calls.tsx'
import styles from './turn.module.css'
import { TurnButton } from './turn-button.tsx'
import { TurnEditor } from './turn-editor.tsx'
import { sameTurn, TurnVersions, type Versions } from './turn-versions.tsx'
import { useTurnEdit } from './use-turn-edit.ts'

interface ReplyTurnProps {
  column: string
  turn: Turn
  versions: Versions
  isLast: boolean
}

// Memoized: a new token in one reply must not render the others again.
export const ReplyTurn = memo(function ReplyTurn(props: ReplyTurnProps) {
  const { column, turn, isLast } = props
  const { t } = useTranslation()
  const desk = useDesk()
  const edit = useTurnEdit(column, turn)
  const isStreaming = turn.state === 'streaming'
  const isWaiting = isStreaming && turn.text === '' && turn.reasoning === ''

  return (
    <article className={styles.reply} aria-label={turn.model} aria-busy={isStreaming}>
      <div className={styles.model}>{turn.model}</div>
      {turn.reasoning && (
        <details className={styles.reasoning} open={isStreaming && turn.text === ''}>
          <summary>{t('playground.thinking')}</summary>
          <div>{turn.reasoning}</div>
        </details>
      )}
      {isWaiting && <Busy label={t('playground.waiting')} onCancel={() => desk.stop(column)} />}
      {edit.text !== undefined ? (
        <TurnEditor
          {...edit.editor}
          text={edit.text}
          label={t('chat.editReply')}
          verb={t('common.save')}
        />
      ) : (
        turn.text && <ReplyText text={turn.text} isStreaming={isStreaming} />
      )}
      <EndingNote turn={turn} />
      {turn.calls.length > 0 && (
        <ToolCalls
          calls={turn.calls}
          isOpen={isLast && !isStreaming}
          onAnswer={(call, result) => desk.answerCall(column, turn.id, call, result)}
          onSend={() => desk.sendResults(column, turn.id)}
        />
      )}
      {turn.failure && (
        <div className={styles.failure}>
          <ErrorCard
            failure={turn.failure}
            reason={turn.booked?.reason}
            title={t(turn.text ? 'playground.failedPartly' : 'playground.failed')}
          />
        </div>
      )}
      {!isStreaming && <Foot {...props} onEdit={edit.open} />}
    </article>
  )
}, sameTurn)

/** Why a reply is shorter than it could be, or why there is none. */
function EndingNote({ turn }: { turn: Turn }) {
  const { t } = useTranslation()
  const { state, ending, text, calls } = turn
  if (ending) return <p className={styles.ending}>{t(`chat.ending_${ending}`)}</p>
  if (state !== 'done' || text !== '' || calls.length > 0) return null
  return <p className={styles.ending}>{t('chat.emptyReply')}</p>
}

function Foot({ column, turn, versions, isLast, onEdit }: ReplyTurnProps & { onEdit: () => void }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <div className={styles.foot}>
      <span className={styles.buttons}>
        <TurnVersions versions={versions} onSelect={(id) => desk.select(column, id)} />
        <TurnButton label={t('playground.retry')} onClick={() => desk.regenerate(column, turn.id)}>
          <IconRefresh size={14} />
        </TurnButton>
        {turn.text && (
          <>
            <TurnButton label={t('playground.copyReply')} onClick={() => clipboard.copy(turn.text)}>
              {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </TurnButton>
            <TurnButton label={t('chat.editReply')} onClick={onEdit}>
              <IconPencil size={14} />
            </TurnButton>
          </>
        )}
        <TurnButton label={t('chat.branch')} onClick={() => void desk.branch(column, turn.id)}>
          <IconGitBranch size={14} />
        </TurnButton>
      </span>
      {!isLast && <ReplyFigures turn={turn} />}
    </div>
  )
}
