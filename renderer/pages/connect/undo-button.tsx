import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import type { Undo } from './use-undo.ts'

export function UndoButton({ name, undo }: { name: string; undo: Undo }) {
  const { t } = useTranslation()
  return (
    <ActionButton
      variant="default"
      busy={undo.busy}
      busyLabel={t('connectTools.undoing')}
      onCancel={undo.cancel}
      onClick={() => void undo.run()}
      aria-label={t('connectTools.undoNamed', { name })}
    >
      {t('connectTools.undo')}
    </ActionButton>
  )
}
