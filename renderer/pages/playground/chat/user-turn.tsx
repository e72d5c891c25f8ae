import { ActionIcon, Button, Group, Textarea, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Turn } from './conversation-state.ts'
import styles from './turn.module.css'

export function UserTurn({ turn, onEdit }: { turn: Turn; onEdit: (text: string) => void }) {
  const { t } = useTranslation()
  const [editing, edit] = useDisclosure(false)
  const [text, setText] = useState(turn.text)

  if (editing) {
    return (
      <form
        className={styles.editor}
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) onEdit(text.trim())
        }}
      >
        <Textarea
          className={styles.editing}
          autosize
          autoFocus
          aria-label={t('playground.edit')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group gap={8} mt={6}>
          <Button variant="default" onClick={edit.close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={text.trim() === ''}>
            {t('playground.sendEdited')}
          </Button>
        </Group>
      </form>
    )
  }
  return (
    <article className={styles.user} aria-label={t('playground.you')}>
      <div className={styles.bubble}>{turn.text}</div>
      <Tooltip label={t('playground.edit')}>
        <ActionIcon size={24} onClick={edit.open} aria-label={t('playground.edit')}>
          <IconPencil size={14} />
        </ActionIcon>
      </Tooltip>
    </article>
  )
}
