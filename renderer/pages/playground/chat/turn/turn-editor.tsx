import { Button, Group, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './turn.module.css'

interface TurnEditorProps {
  text: string
  label: string
  verb: string
  onSave: (text: string) => void
  onClose: () => void
}

/** Esc gives up only what wasn't changed. */
export function TurnEditor({ text: first, label, verb, onSave, onClose }: TurnEditorProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(first)
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape' && text === first) onClose()
    if (event.key === 'Escape') event.stopPropagation()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.currentTarget.requestSubmit()
    }
  }
  return (
    <form
      className={styles.editor}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        onSave(text.trim())
        onClose()
      }}
    >
      <Textarea
        autosize
        autoFocus
        maxRows={16}
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap={8} mt={6} justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={text.trim() === ''}>
          {verb}
        </Button>
      </Group>
    </form>
  )
}
