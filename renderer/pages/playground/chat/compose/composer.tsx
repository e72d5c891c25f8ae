import { ActionIcon, Textarea, Tooltip } from '@mantine/core'
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { FileChoice } from '../../../../components/actions/file-choice.tsx'
import { shortcutOf } from '../../../../components/shortcuts/shortcuts.ts'
import { isBroken } from '../desk/chat-request.ts'
import { AttachmentChip } from '../turn/attachment-chip.tsx'
import { useDesk, useDeskState } from '../use-desk.ts'
import { ChatNotes } from './chat-notes.tsx'
import styles from './composer.module.css'
import { RequestButton } from './request-button.tsx'
import { useDroppedFiles } from './use-dropped-files.ts'

/** One message for all columns; files come by drop, paste or the clip. */
// Memoized: its field is measured whenever it is drawn.
export const Composer = memo(function Composer() {
  const { t } = useTranslation()
  const desk = useDesk()
  const draft = useDeskState((state) => state.draft)
  const isStreaming = useDeskState((state) => state.isStreaming)
  const isOver = useDroppedFiles()
  const broken = useDeskState(({ record }) =>
    record.columns.findIndex(({ settings }) => isBroken(settings)),
  )
  const isEmpty = draft.text.trim() === '' && draft.attachments.length === 0
  const canSend = !isEmpty && !isStreaming && broken < 0

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a word in an input method.
    const shortcut = shortcutOf('playground', event)
    if (event.nativeEvent.isComposing || (shortcut !== 'send' && shortcut !== 'run')) return
    event.preventDefault()
    if (canSend) desk.send()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    void desk.addFiles(files)
  }

  return (
    <div className={styles.composer} data-over={isOver || undefined}>
      <ChatNotes broken={broken} />
      {draft.attachments.length > 0 && (
        <div className={styles.files}>
          {draft.attachments.map((file) => (
            <AttachmentChip key={file.id} file={file} onRemove={() => desk.removeFile(file.id)} />
          ))}
        </div>
      )}
      <div className={styles.box}>
        <FileChoice multiple onChange={(files) => void desk.addFiles(files)}>
          {(props) => (
            <Tooltip label={t('chat.attach')}>
              <ActionIcon {...props} size={30} aria-label={t('chat.attach')}>
                <IconPaperclip size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </FileChoice>
        <Textarea
          flex={1}
          autosize
          minRows={1}
          maxRows={10}
          autoFocus
          aria-label={t('playground.message')}
          placeholder={t('playground.messagePlaceholder')}
          value={draft.text}
          onChange={(event) => desk.write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isStreaming ? (
          <Tooltip label={t('chat.stopAll')}>
            <ActionIcon
              variant="filled"
              color="gray"
              size={30}
              onClick={() => desk.stop()}
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
            onClick={() => desk.send()}
            aria-label={t('playground.send')}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
        )}
      </div>
      <div className={styles.hint}>
        <span>{t(isStreaming ? 'chat.stopHint' : 'chat.sendHint')}</span>
        <RequestButton />
      </div>
    </div>
  )
})
