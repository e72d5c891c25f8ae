import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OperationInput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { saveFile } from '../../../components/actions/save-file.ts'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../gateway/queries.ts'

/** Exports all pages of the filtered list as CSV. */
export function ExportButton({ keyword, status }: OperationInput<'redemption.export'>) {
  const { t } = useTranslation()
  const fetchCsv = useAction('redemption.export')
  const save = async () => {
    const reply = await fetchCsv.run({ keyword, status })
    if (reply) saveFile('redemption-codes.csv', reply.data, 'text/csv')
  }
  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<IconDownload size={14} />}
        busy={fetchCsv.busy}
        busyLabel={t('redeem.exporting')}
        onCancel={fetchCsv.cancel}
        onClick={() => void save()}
      >
        {t('redeem.export')}
      </ActionButton>
      <FailureNote failure={fetchCsv.failure} />
    </>
  )
}
