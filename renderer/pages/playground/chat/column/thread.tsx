import { IconMessage2 } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../../components/feedback/empty.tsx'
import type { Column } from '../desk/chat-record.ts'
import { siblingsOf, threadOf } from '../desk/thread.ts'
import { ReplyTurn } from '../turn/reply-turn.tsx'
import { UserTurn } from '../turn/user-turn.tsx'
import styles from './column.module.css'
import { useKeptFocus } from './use-kept-focus.ts'

const nearBottom = 120

/** Follows the reply unless the reader has scrolled up. */
export function Thread({ column, label }: { column: Column; label: string }) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const { key, turns, settings } = column
  const thread = threadOf(column)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new piece is the signal
  useLayoutEffect(() => {
    const element = frame.current
    if (element && follows.current) element.scrollTop = element.scrollHeight
  }, [turns])

  // A long reply is drawn bit by bit.
  useEffect(() => {
    const element = frame.current
    if (!element?.firstElementChild) return
    const sized = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight
    })
    sized.observe(element.firstElementChild)
    return () => sized.disconnect()
  }, [])

  const focus = useKeptFocus(frame)

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
      {...focus}
      role="log"
      aria-label={label}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
    >
      <div className={styles.turns}>
        {thread.length === 0 && (
          <Empty
            icon={<IconMessage2 size={20} />}
            title={t('playground.emptyTitle', { model: settings.model })}
            hint={t('playground.emptyHint')}
          />
        )}
        {thread.map((turn, index) => {
          const ids = siblingsOf(turns, turn).map(({ id }) => id)
          const versions = { ids, at: ids.indexOf(turn.id) }
          return turn.role === 'user' ? (
            <UserTurn key={turn.id} column={key} turn={turn} versions={versions} />
          ) : (
            <ReplyTurn
              key={turn.id}
              column={key}
              turn={turn}
              versions={versions}
              isLast={index === thread.length - 1}
            />
          )
        })}
      </div>
    </div>
  )
}
