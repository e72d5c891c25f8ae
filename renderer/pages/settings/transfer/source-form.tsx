import { Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import type { CallFailure } from '../../../gateway/call-failure.ts'
import type { Action } from '../../../gateway/queries.ts'

export type PreviewInput = OperationInput<'transfer.preview'>

/** How the form of a source asks for its preview. */
export interface SourceProps {
  read: Action<'transfer.preview'>
  onPreview: (input: PreviewInput) => void
  /** A preview of what was typed before is shown no longer. */
  onEdit: () => void
}

interface SourceFormProps extends Pick<SourceProps, 'read'> {
  isReady: boolean
  /** A failure that no field of the form shows. */
  failure: CallFailure | null
  onSubmit: () => void
  children: ReactNode
}

export function SourceForm({ read, isReady, failure, onSubmit, children }: SourceFormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        <FailureNote failure={failure} />
        <ActionButton
          type="submit"
          variant="default"
          disabled={!isReady}
          busy={read.busy}
          busyLabel={t('transfer.reading')}
          onCancel={read.cancel}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('transfer.preview')}
        </ActionButton>
      </Stack>
    </form>
  )
}
