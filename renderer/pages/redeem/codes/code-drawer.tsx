import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { FormDrawer } from '../../../components/leaving/form-drawer.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { CodeForm } from './code-form.tsx'

interface CodeDrawerProps {
  opened: boolean
  /** Null for new codes. */
  codeId: number | null
  onClose: () => void
  /** Called with the new codes. */
  onCreated: (codes: readonly string[]) => void
}

export function CodeDrawer({ opened, codeId, onClose, onCreated }: CodeDrawerProps) {
  const { t } = useTranslation()
  const isStored = codeId !== null
  const code = useOperation(
    'redemption.get',
    { id: codeId ?? 0 },
    { enabled: isStored, forget: true },
  )
  const title = isStored
    ? t('redeem.editTitle', { name: code.data?.name ?? `#${codeId}` })
    : t('redeem.create')
  return (
    <FormDrawer opened={opened} onClose={onClose} size={420} title={title}>
      {isStored ? (
        <QueryView query={code} verb={t('redeem.loadingOne')}>
          {(record) => <CodeForm key={record.id} stored={record} onSaved={onClose} />}
        </QueryView>
      ) : (
        opened && <CodeForm onSaved={(codes) => codes && onCreated(codes)} />
      )}
    </FormDrawer>
  )
}
