import { IconMessage2 } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../components/feedback/empty.tsx'
import styles from '../playground.module.css'
import { ReplyTurn } from './reply-turn.tsx'
import { useConversation } from './use-conversation.ts'
import { UserTurn } from './user-turn.tsx'

const nearBottom = 120

/** Follows the reply unless the reader has scrolled up. */
export function Thread() {
  const { t } = useTranslation()
  const [{ turns, settings }, conversation] = useConversation()
  const frame = useRef<HTMLDivElement>(null)
  const follows = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new piece is the signal
  useEffect(() => {
    const element = frame.current
    if (element && follows.current) element.scrollTop = element.scrollHeight
  }, [turns])

  const onScroll = () => {
    const element = frame.current
    if (!element) return
    follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearBottom
  }

  return (
    <div
      className={styles.thread}
      ref={frame}
      onScroll={onScroll}
      role="log"
      aria-label={t('playground.conversation')}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
    >
      <div className={styles.column}>
        {turns.length === 0 && (
          <Empty
            icon={<IconMessage2 size={20} />}
            title={t('playground.emptyTitle', { model: settings.model ?? '' })}
            hint={t('playground.emptyHint')}
          />
        )}
        {turns.map((turn) =>
          turn.role === 'user' ? (
            <UserTurn
              key={turn.id}
              turn={turn}
              onEdit={(text) => conversation.edit(turn.id, text)}
            />
          ) : (
            <ReplyTurn
              key={turn.id}
              turn={turn}
              onRetry={() => conversation.retry(turn.id)}
              onStop={() => conversation.stop()}
            />
          ),
        )}
      </div>
    </div>
  )
}
