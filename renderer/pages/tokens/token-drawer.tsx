import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import { useOperation } from '../../gateway/queries.ts'
import type { TokenRecord } from '../../gateway/records.ts'
import { TokenForm } from './token-form.tsx'

interface TokenDrawerProps {
  opened: boolean
  /** Null for a new token. */
  tokenId: number | null
  onClose: () => void
  /** Called with the record that carries the whole key. */
  onCreated: (token: TokenRecord) => void
}

export function TokenDrawer({ opened, tokenId, onClose, onCreated }: TokenDrawerProps) {
  const { t } = useTranslation()
  const isStored = tokenId !== null
  const token = useOperation('token.get', { id: tokenId ?? 0 }, { enabled: isStored, forget: true })
  const title = isStored
    ? t('tokens.editTitle', { name: token.data?.name ?? `#${tokenId}` })
    : t('tokens.createTitle')
  return (
    <FormDrawer opened={opened} onClose={onClose} size={460} title={title}>
      {isStored ? (
        <QueryView query={token} verb={t('tokens.loadingOne')}>
          {(record) => <TokenForm key={record.id} stored={record} onSaved={onClose} />}
        </QueryView>
      ) : (
        opened && <TokenForm onSaved={(created) => created && onCreated(created)} />
      )}
    </FormDrawer>
  )
}
