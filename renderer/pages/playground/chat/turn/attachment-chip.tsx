import { ActionIcon } from '@mantine/core'
import { IconFile, IconFileMusic, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import type { Attachment } from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import styles from './turn.module.css'

interface AttachmentChipProps {
  file: Attachment
  onRemove?: () => void
}

/** A file of a message; pictures are shown. */
export function AttachmentChip({ file, onRemove }: AttachmentChipProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const desk = useDesk()
  const [url, setUrl] = useState<string | null>(null)
  const { id, kind, type, name } = file

  useEffect(() => {
    if (kind !== 'image') return
    let made: string | null = null
    let isGone = false
    void desk.fileOf(id).then((data) => {
      if (isGone || data === null) return
      const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
      made = URL.createObjectURL(new Blob([bytes], { type }))
      setUrl(made)
    })
    return () => {
      isGone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [desk, id, kind, type])

  return (
    <span className={styles.chip}>
      {url === null ? (
        kind === 'audio' ? (
          <IconFileMusic size={16} aria-hidden />
        ) : (
          <IconFile size={16} aria-hidden />
        )
      ) : (
        <img src={url} alt={name} />
      )}
      <span className={styles.fileName}>{name}</span>
      <span className={styles.dim}>{format.size(file.size)}</span>
      {onRemove && (
        <ActionIcon size={20} onClick={onRemove} aria-label={t('chat.removeFile', { name })}>
          <IconX size={13} />
        </ActionIcon>
      )}
    </span>
  )
}
