import { ActionIcon, Button, Text } from '@mantine/core'
import { IconFileMusic, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileChoice } from '../../../components/actions/file-choice.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import styles from './transcription.module.css'

interface FilePickerProps {
  file: File | null
  onPick: (file: File | null) => void
}

/** Bytes. The gateway takes 40 MiB of base64 from the page. */
const largest = 29 * 1024 * 1024

/** Chosen or dropped. */
export function FilePicker({ file, onPick }: FilePickerProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)

  const pick = (picked: File | null | undefined) => {
    if (!picked) return
    const isTooLarge = picked.size > largest
    setRefused(isTooLarge ? t('tasks.fileTooLarge', { name: picked.name }) : null)
    if (!isTooLarge) onPick(picked)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    pick(event.dataTransfer.files[0])
  }

  return (
    <div>
      <Text component="div" fw={500} mb={4} id="recording">
        {t('tasks.recording')}
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this is */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        role="group"
        aria-labelledby="recording"
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {file ? (
          <>
            <IconFileMusic size={20} aria-hidden />
            <span className={styles.file}>
              <span>{file.name}</span>
              <Text component="span" c="dimmed" fz={12}>
                {format.size(file.size)}
              </Text>
            </span>
            <ActionIcon
              onClick={() => onPick(null)}
              aria-label={t('common.remove', { name: file.name })}
            >
              <IconX size={15} />
            </ActionIcon>
          </>
        ) : (
          <>
            <IconUpload size={20} aria-hidden />
            <span>{t('tasks.dropHere')}</span>
          </>
        )}
        <FileChoice onChange={pick} accept="audio/*,video/*">
          {(props) => (
            <Button {...props} variant="default">
              {t(file ? 'tasks.chooseOther' : 'tasks.chooseFile')}
            </Button>
          )}
        </FileChoice>
      </div>
      {refused && (
        <Text c="var(--bad)" mt={6} role="alert">
          {refused}
        </Text>
      )}
    </div>
  )
}
