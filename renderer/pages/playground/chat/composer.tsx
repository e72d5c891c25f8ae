import { ActionIcon, Textarea, Tooltip } from '@mantine/core'
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '../playground.module.css'
import { CurlButton } from '../run/curl-button.tsx'
import { chatRequest } from './chat-body.ts'
import { useConversation } from './use-conversation.ts'

export function Composer() {
  const { t } = useTranslation()
  const [{ draft, turns, settings }, conversation] = useConversation()
  const isStreaming = turns.some((turn) => turn.state === 'streaming')
  const canSend = draft.trim() !== '' && !isStreaming

  const send = () => {
    if (!canSend) return
    conversation.set({ draft: '' })
    conversation.send(draft.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a word in an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <div className={styles.composer}>
      <div className={styles.box}>
        <Textarea
          flex={1}
          autosize
          minRows={1}
          maxRows={10}
          autoFocus
          aria-label={t('playground.message')}
          placeholder={t('playground.messagePlaceholder')}
          value={draft}
          onChange={(event) => conversation.set({ draft: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        {isStreaming ? (
          <Tooltip label={t('playground.stop')}>
            <ActionIcon
              variant="filled"
              color="gray"
              size={30}
              onClick={() => conversation.stop()}
              aria-label={t('playground.stop')}
            >
              <IconPlayerStopFilled size={14} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <ActionIcon
            variant="filled"
            color="iris"
            size={30}
            disabled={!canSend}
            onClick={send}
            aria-label={t('playground.send')}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
        )}
      </div>
      <div className={styles.hint}>
        <span>{t('playground.sendHint')}</span>
        <CurlButton request={() => chatRequest(settings, turns, draft.trim())} />
      </div>
    </div>
  )
}
