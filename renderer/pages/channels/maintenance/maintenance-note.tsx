import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import type { Maintenance } from './use-maintenance.ts'

export function MaintenanceNote({ maintenance }: { maintenance: Maintenance }) {
  const { t } = useTranslation()
  const { busyLabel, note, failure, cancel, dismiss } = maintenance
  if (busyLabel) return <Busy label={busyLabel} onCancel={cancel} />
  if (failure) return <FailureNote failure={failure} />
  if (!note) return null
  return (
    <Alert role="status" withCloseButton closeButtonLabel={t('common.close')} onClose={dismiss}>
      {note}
    </Alert>
  )
}
