import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../components/actions/row-menu.tsx'
import type { TokenRecord } from '../../gateway/records.ts'

export function TokenMenu({ token, onEdit }: { token: TokenRecord; onEdit: () => void }) {
  const { t } = useTranslation()
  const { id, name } = token
  return (
    <RowMenu
      row={token}
      deletes="token.delete"
      reads={['token.list']}
      title={t('tokens.deleteTitle')}
      text={t('tokens.deleteText', { name, id })}
      onEdit={onEdit}
    />
  )
}
