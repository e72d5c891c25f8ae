import { Badge, Switch, Table, Text, Tooltip } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { usedSum, useSumCost } from '../../components/format/use-sum-cost.ts'
import { RecordName } from '../../components/table/record-name.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'
import type { AllowedActions } from './allowed-actions.ts'
import { shownName } from './user-draft.ts'
import { UserMenu } from './user-menu.tsx'

interface UserRowProps {
  user: UserRecord
  allowed: AllowedActions
  onOpen: () => void
}

const enabled = 1

export function UserRow({ user, allowed, onOpen }: UserRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const manage = useAction('user.manage', ['user.search', 'user.get'])
  const { id, username } = user
  const name = shownName(user)
  const isOn = user.status === enabled
  const { costOf, noteOf } = useSumCost()
  const used = usedSum(user)
  const idLabel = t('users.userId')

  return (
    <>
      <Table.Tr>
        <Table.Td>
          {allowed.shut && (
            <Switch
              checked={isOn}
              disabled={manage.busy}
              onChange={(event) =>
                void manage.run({ id, action: event.currentTarget.checked ? 'enable' : 'disable' })
              }
              aria-label={t('users.toggle', { name: username })}
            />
          )}
        </Table.Td>
        <Table.Td className="rest">
          {allowed.edit ? (
            <RecordName id={id} name={username} idLabel={idLabel} onOpen={onOpen}>
              <UserState user={user} />
            </RecordName>
          ) : (
            <Text span>
              {username} <CopyText value={String(id)} label={idLabel}>{`#${id}`}</CopyText>{' '}
              <UserState user={user} />
            </Text>
          )}
          {name && name !== username && (
            <Text className="cut" c="dimmed" fz={12} title={name}>
              {name}
            </Text>
          )}
        </Table.Td>
        <Table.Td className="wide-only" style={{ whiteSpace: 'nowrap' }}>
          {user.role === roles.owner
            ? t('users.roleOwner')
            : t(user.role >= roles.administrator ? 'users.roleAdministrator' : 'users.roleCommon')}
        </Table.Td>
        <Table.Td className="widest-only">
          <Text span className="cut" maw={120} title={user.group}>
            {user.group}
          </Text>
        </Table.Td>
        <Table.Td className="numeric">{format.money(user.quota)}</Table.Td>
        <Table.Td className="numeric widest-only" title={noteOf(used)}>
          {costOf(used)}
        </Table.Td>
        <Table.Td className="numeric wider-only">{format.count(user.request_count)}</Table.Td>
        <Table.Td className="numeric widest-only">{format.time(user.created_time)}</Table.Td>
        <Table.Td>
          {allowed.edit && <UserMenu user={user} allowed={allowed} onEdit={onOpen} />}
        </Table.Td>
      </Table.Tr>
      {manage.failure && (
        <Table.Tr>
          <Table.Td colSpan={9}>
            <FailureNote failure={manage.failure} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

function UserState({ user }: { user: UserRecord }) {
  const { t } = useTranslation()
  return (
    <>
      {user.two_factor_enabled && (
        <Tooltip label={t('users.twoFactor')}>
          <IconShieldLock size={14} role="img" aria-label={t('users.twoFactor')} />
        </Tooltip>
      )}
      {user.remark && (
        <Tooltip label={user.remark} multiline maw={320}>
          <Badge color="gray">{t('users.remarkBadge')}</Badge>
        </Tooltip>
      )}
      {user.status !== enabled && <Badge color="orange">{t('users.disabled')}</Badge>}
    </>
  )
}
