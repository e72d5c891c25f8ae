import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import {
  IconAdjustments,
  IconColumnInsertRight,
  IconHistory,
  IconMessagePlus,
} from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './chat.module.css'
import { MOST_COLUMNS } from './desk/chat-record.ts'
import { nameOf } from './desk/thread.ts'
import { useDesk, useDeskState } from './use-desk.ts'

interface ChatBarProps {
  onConversations: () => void
  isPanelOpen: boolean
  onPanel: () => void
}

/** The conversation's name, and all that concerns the whole of it. */
// Memoized, as all that doesn't change with every token.
export const ChatBar = memo(function ChatBar(props: ChatBarProps) {
  const { onConversations, isPanelOpen, onPanel } = props
  const { t } = useTranslation()
  const desk = useDesk()
  const id = useDeskState(({ record }) => record.id)
  const name = useDeskState(({ record }) => nameOf(record))
  const count = useDeskState(({ record }) => record.columns.length)
  const isEmpty = useDeskState(({ record }) =>
    record.columns.every(({ turns }) => turns.length === 0),
  )
  return (
    <div className={styles.bar}>
      <Tooltip label={t('chat.conversations')}>
        <ActionIcon
          variant="default"
          size={30}
          onClick={onConversations}
          aria-label={t('chat.conversations')}
        >
          <IconHistory size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('playground.newChat')}>
        <ActionIcon
          variant="default"
          size={30}
          disabled={isEmpty}
          onClick={() => desk.start()}
          aria-label={t('playground.newChat')}
        >
          <IconMessagePlus size={16} />
        </ActionIcon>
      </Tooltip>
      <NameField key={`${id} ${name}`} name={name} isEmpty={isEmpty} />
      <Button
        variant="default"
        classNames={{ root: styles.add, section: styles.addIcon }}
        leftSection={<IconColumnInsertRight size={14} />}
        disabled={count >= MOST_COLUMNS}
        onClick={() => desk.addColumn()}
        aria-label={t('chat.addColumn')}
      >
        <span className={styles.wide}>{t('chat.addColumn')}</span>
      </Button>
      <Tooltip label={t('playground.parameters')}>
        <ActionIcon
          variant="default"
          size={30}
          onClick={onPanel}
          aria-expanded={isPanelOpen}
          aria-label={t('playground.parameters')}
        >
          <IconAdjustments size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
})

function NameField({ name, isEmpty }: { name: string; isEmpty: boolean }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const [text, setText] = useState(name)
  const save = () => {
    if (text.trim() !== name) desk.rename(text)
  }
  return (
    <TextInput
      flex={1}
      variant="unstyled"
      className={styles.name}
      aria-label={t('chat.name')}
      placeholder={t('playground.newChat')}
      readOnly={isEmpty}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setText(name)
      }}
    />
  )
}
