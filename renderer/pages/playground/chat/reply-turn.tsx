import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { ErrorCard } from '../run/error-card.tsx'
import type { Turn } from './conversation-state.ts'
import { MarkdownText } from './markdown-text.tsx'
import styles from './turn.module.css'
import { TurnFigures } from './turn-figures.tsx'

interface ReplyTurnProps {
  turn: Turn
  onRetry: () => void
  onStop: () => void
}

export function ReplyTurn({ turn, onRetry, onStop }: ReplyTurnProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
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
      {isWaiting && <Busy label={t('playground.waiting')} onCancel={onStop} />}
      {turn.text && <Reply text={turn.text} />}
      {turn.failure && (
        <div className={styles.failure}>
          <ErrorCard
            failure={turn.failure}
            title={t(turn.text ? 'playground.failedPartly' : 'playground.failed')}
          />
        </div>
      )}
      {!isStreaming && (
        <div className={styles.foot}>
          <span className={styles.buttons}>
            <Tooltip label={t('playground.retry')}>
              <ActionIcon size={24} onClick={onRetry} aria-label={t('playground.retry')}>
                <IconRefresh size={14} />
              </ActionIcon>
            </Tooltip>
            {turn.text && (
              <Tooltip label={t('playground.copyReply')}>
                <ActionIcon
                  size={24}
                  onClick={() => clipboard.copy(turn.text)}
                  aria-label={t('playground.copyReply')}
                >
                  {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                </ActionIcon>
              </Tooltip>
            )}
          </span>
          <TurnFigures turn={turn} />
        </div>
      )}
    </article>
  )
}

// Memoized because rendering Markdown is slow: a new token must not render finished replies again.
const Reply = memo(function Reply({ text }: { text: string }) {
  return (
    <div className={styles.text}>
      <MarkdownText text={text} />
    </div>
  )
})
