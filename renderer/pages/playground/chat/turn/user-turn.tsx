import { IconGitBranch, IconPencil } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Turn } from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import { AttachmentChip } from './attachment-chip.tsx'
import styles from './turn.module.css'
import { TurnButton } from './turn-button.tsx'
import { TurnEditor } from './turn-editor.tsx'
import { sameTurn, TurnVersions, type Versions } from './turn-versions.tsx'
import { useTurnEdit } from './use-turn-edit.ts'

interface UserTurnProps {
  column: string
  turn: Turn
  versions: Versions
}

export const UserTurn = memo(function UserTurn({ column, turn, versions }: UserTurnProps) {
  const { t } = useTranslation()
  const desk = useDesk()
  const edit = useTurnEdit(column, turn)

  if (edit.text !== undefined) {
    return (
      <TurnEditor
        {...edit.editor}
        text={edit.text}
        label={t('playground.edit')}
        verb={t('playground.sendEdited')}
      />
    )
  }
  return (
    <article className={styles.user} aria-label={t('playground.you')}>
      <div className={styles.bubble}>
        {turn.attachments.map((file) => (
          <AttachmentChip key={file.id} file={file} />
        ))}
        {turn.text && <div className={styles.said}>{turn.text}</div>}
      </div>
      <span className={styles.buttons}>
        <TurnVersions versions={versions} onSelect={(id) => desk.select(column, id)} />
        <TurnButton label={t('playground.edit')} onClick={edit.open}>
          <IconPencil size={14} />
        </TurnButton>
        <TurnButton label={t('chat.branch')} onClick={() => void desk.branch(column, turn.id)}>
          <IconGitBranch size={14} />
        </TurnButton>
      </span>
    </article>
  )
}, sameTurn)
