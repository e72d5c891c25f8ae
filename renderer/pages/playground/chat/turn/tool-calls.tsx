import { Button, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../../../components/actions/snippet.tsx'
import type { ToolCall } from '../desk/chat-record.ts'
import styles from './turn.module.css'

interface ToolCallsProps {
  calls: readonly ToolCall[]
  /** Nothing follows yet, so they can be answered. */
  isOpen: boolean
  onAnswer: (call: string, result: string) => void
  onSend: () => void
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** The tools that a reply calls, answered by hand. */
export function ToolCalls({ calls, isOpen, onAnswer, onSend }: ToolCallsProps) {
  const { t } = useTranslation()
  const isReady = calls.every(({ result }) => result !== null)
  return (
    <div className={styles.calls}>
      {calls.map((call) => (
        <section key={call.id} className={styles.call} aria-label={call.name}>
          <span className="mono">{call.name}</span>
          <Snippet text={pretty(call.arguments || '{}')} label={t('chat.arguments')} />
          <Textarea
            label={t('chat.toolResult')}
            autosize
            minRows={1}
            maxRows={12}
            readOnly={!isOpen}
            value={call.result ?? ''}
            onChange={(event) => onAnswer(call.id, event.currentTarget.value)}
          />
        </section>
      ))}
      {isOpen && (
        <Button onClick={onSend} disabled={!isReady} style={{ alignSelf: 'flex-start' }}>
          {t('chat.sendResults')}
        </Button>
      )}
    </div>
  )
}
