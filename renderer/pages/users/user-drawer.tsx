import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { UserForm } from './user-form.tsx'

interface UserDrawerProps {
  opened: boolean
  /** Null for a new account. */
  userId: number | null
  onClose: () => void
}

export function UserDrawer({ opened, userId, onClose }: UserDrawerProps) {
  const { t } = useTranslation()
  const isStored = userId !== null
  const user = useOperation('user.get', { id: userId ?? 0 }, { enabled: isStored, forget: true })
  const title = isStored
    ? t('users.editTitle', { name: user.data?.username ?? `#${userId}` })
    : t('users.create')
  return (
    <FormDrawer opened={opened} onClose={onClose} size={440} title={title}>
      {isStored ? (
        <QueryView query={user} verb={t('users.loadingOne')}>
          {(record) => <UserForm key={record.id} stored={record} onSaved={onClose} />}
        </QueryView>
      ) : (
        opened && <UserForm onSaved={onClose} />
      )}
    </FormDrawer>
  )
}
