import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { shortcutOf } from '../../../../components/shortcuts/shortcuts.ts'
import styles from './turn.module.css'

interface TurnEditorProps {
  /** As the turn has it. */
  first: string
  text: string
  label: string
  verb: string
  onChange: (text: string) => void
  onSave: (text: string) => void
  onClose: () => void
}

/** Esc gives up only what wasn't changed. */
export function TurnEditor(props: TurnEditorProps) {
  const { first, text, label, verb, onChange, onSave, onClose } = props
  const { t } = useTranslation()
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape' && text === first) onClose()
    if (event.key === 'Escape') event.stopPropagation()
    if (shortcutOf('playground', event) === 'run') {
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
        onChange={(event) => onChange(event.currentTarget.value)}
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
