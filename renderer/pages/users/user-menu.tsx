import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCoins, IconShieldOff, IconUserDown, IconUserUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/actions/confirm-dialog.tsx'
import { RowMenu } from '../../components/actions/row-menu.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'
import type { AllowedActions } from './allowed-actions.ts'
import { QuotaDialog } from './quota-dialog.tsx'

interface UserMenuProps {
  user: UserRecord
  allowed: AllowedActions
  onEdit: () => void
}

/** Actions that are confirmed first. */
type Question = 'promote' | 'demote' | 'reset'

const reads = ['user.search', 'user.get'] as const

export function UserMenu({ user, allowed, onEdit }: UserMenuProps) {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question | null>(null)
  const [isCounting, quota] = useDisclosure(false)
  const manage = useAction('user.manage', reads)
  const reset = useAction('two-factor.reset', reads)
  const { id, username } = user
  const isAdministrator = user.role >= roles.administrator
  const asked = question ?? 'promote'
  const action = asked === 'reset' ? reset : manage

  const confirm = async () => {
    const done =
      asked === 'reset' ? await reset.run({ id }) : await manage.run({ id, action: asked })
    if (done) setQuestion(null)
  }
  const close = () => {
    action.cancel()
    action.reset()
    setQuestion(null)
  }

  return (
    <>
      <RowMenu
        row={{ id, name: username }}
        deletes="user.delete"
        reads={['user.search']}
        title={t('users.deleteTitle')}
        text={t('users.deleteText', { name: username, id })}
        kept={!allowed.shut}
        onEdit={onEdit}
      >
        <Menu.Item leftSection={<IconCoins size={14} />} onClick={quota.open}>
          {t('users.changeQuota')}
        </Menu.Item>
        {allowed.changeRole && (
          <Menu.Item
            leftSection={isAdministrator ? <IconUserDown size={14} /> : <IconUserUp size={14} />}
            onClick={() => setQuestion(isAdministrator ? 'demote' : 'promote')}
          >
            {t(isAdministrator ? 'users.demote' : 'users.promote')}
          </Menu.Item>
        )}
        {user.two_factor_enabled && allowed.shut && (
          <Menu.Item leftSection={<IconShieldOff size={14} />} onClick={() => setQuestion('reset')}>
            {t('users.reset')}
          </Menu.Item>
        )}
        {allowed.shut && <Menu.Divider />}
      </RowMenu>
      <ConfirmDialog
        opened={question !== null}
        title={t(`users.${asked}`)}
        text={t(`users.${asked}Text`, { name: username, id })}
        verb={t(`users.${asked}`)}
        deletesNothing={asked !== 'reset'}
        busyLabel={t('common.saving')}
        busy={action.busy}
        failure={action.failure}
        onConfirm={() => void confirm()}
        onCancelRun={action.cancel}
        onClose={close}
      />
      {isCounting && <QuotaDialog user={user} onClose={quota.close} />}
    </>
  )
}
