import { ActionIcon, Badge, Group, Switch, Table, Text, Tooltip } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../components/actions/row-menu.tsx'
import { Busy } from '../../components/feedback/busy.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { usedSum, useSumCost } from '../../components/format/use-sum-cost.ts'
import { SelectCell } from '../../components/selection/select-cells.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'
import { RecordName } from '../../components/table/record-name.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { TokenRecord } from '../../gateway/records.ts'
import { KeyDialog } from './key-dialog.tsx'
import { TokenBudgets } from './token-budgets.tsx'
import { TokenLimits } from './token-limits.tsx'

const enabled = 1
const disabled = 2
const expired = 3
const exhausted = 4

interface TokenRowProps {
  token: TokenRecord
  /** Tools, the one that called last first. */
  usedBy: readonly string[]
  selection: RowSelection
  onOpen: () => void
}

export function TokenRow({ token, usedBy, selection, onOpen }: TokenRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [revealed, setRevealed] = useState<string | null>(null)
  const setStatus = useAction('token.update', ['token.list', 'token.get'])
  const reveal = useAction('token.reveal')
  const { id, name } = token
  const { costOf, noteOf } = useSumCost()
  const used = usedSum(token)
  const failure = setStatus.failure ?? reveal.failure

  const showKey = async () => {
    const reply = await reveal.run({ id })
    if (reply) setRevealed(reply.data.key)
  }

  return (
    <>
      <Table.Tr data-selected={selection.has(id) || undefined}>
        <SelectCell selection={selection} row={token} />
        <Table.Td>
          <Switch
            checked={token.status !== disabled}
            disabled={setStatus.busy}
            onChange={(event) =>
              void setStatus.run({
                id,
                status_only: '1',
                status: event.currentTarget.checked ? enabled : disabled,
              })
            }
            aria-label={t('tokens.toggle', { name })}
          />
        </Table.Td>
        <Table.Td className="rest">
          <RecordName id={id} name={name} idLabel={t('tokens.tokenId')} onOpen={onOpen}>
            {token.key_locked && <Badge color="orange">{t('tokens.keyLocked')}</Badge>}
            {token.status === expired && <Badge color="red">{t('tokens.expired')}</Badge>}
            {token.status === exhausted && <Badge color="orange">{t('tokens.exhausted')}</Badge>}
            {token.budget_state === 'warning' && (
              <Badge color="orange">{t('tokens.budgetWarning')}</Badge>
            )}
            {token.budget_state === 'exhausted' && (
              <Badge color="red">{t('tokens.budgetExhausted')}</Badge>
            )}
          </RecordName>
          {token.key !== '' && (
            <Text className="mono wide-only" c="dimmed">
              {token.key}
            </Text>
          )}
        </Table.Td>
        <Table.Td className="widest-only">
          <TokenLimits token={token} />
          <TokenBudgets token={token} />
        </Table.Td>
        <Table.Td className="numeric" title={noteOf(used)}>
          {token.accessed_time ? costOf(used) : '–'}
        </Table.Td>
        <Table.Td className="numeric widest-only">
          {token.unlimited_quota ? (
            <Text span c="dimmed">
              {t('tokens.unlimited')}
            </Text>
          ) : (
            format.money(token.remain_quota)
          )}
        </Table.Td>
        <Table.Td className="numeric wider-only">
          {token.accessed_time ? format.time(token.accessed_time) : t('tokens.neverUsed')}
          {usedBy.length > 0 && (
            <Text c="dimmed" inherit>
              {t('tokens.usedBy', { tools: format.list(usedBy) })}
            </Text>
          )}
        </Table.Td>
        <Table.Td className="numeric widest-only">
          {token.expired_time === -1 ? (
            t('common.never')
          ) : (
            <Tooltip label={format.fullTime(token.expired_time)}>
              <span>{format.time(token.expired_time)}</span>
            </Tooltip>
          )}
        </Table.Td>
        <Table.Td>
          <Group gap={2} wrap="nowrap" justify="flex-end">
            <Tooltip label={t('tokens.reveal', { name })}>
              <ActionIcon
                onClick={() => void showKey()}
                disabled={reveal.busy}
                aria-label={t('tokens.reveal', { name })}
              >
                <IconEye size={16} />
              </ActionIcon>
            </Tooltip>
            <TokenMenu token={token} onEdit={onOpen} />
          </Group>
          {revealed && (
            <KeyDialog
              title={t('tokens.revealedTitle', { name })}
              token={token}
              tokenKey={revealed}
              onClose={() => setRevealed(null)}
            />
          )}
        </Table.Td>
      </Table.Tr>
      {(failure || reveal.busy) && (
        <Table.Tr>
          <Table.Td colSpan={9}>
            {reveal.busy && <Busy label={t('tokens.revealing')} onCancel={reveal.cancel} />}
            <FailureNote failure={failure} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

function TokenMenu({ token, onEdit }: { token: TokenRecord; onEdit: () => void }) {
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
