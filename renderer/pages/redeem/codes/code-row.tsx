import { Badge, Box, Switch, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { RowMenu } from '../../../components/actions/row-menu.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { RecordName } from '../../../components/table/record-name.tsx'
import { useAction } from '../../../gateway/queries.ts'
import type { RedemptionRecord } from '../../../gateway/records.ts'
import { isUsed } from './code-states.ts'

const enabled = 1
const disabled = 2
const reads = ['redemption.search', 'redemption.get'] as const

export function CodeRow({ code, onOpen }: { code: RedemptionRecord; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const setStatus = useAction('redemption.update', reads)
  const { id, name, key } = code

  return (
    <>
      <Table.Tr>
        <Table.Td>
          {!isUsed(code) && (
            <Switch
              checked={code.status === enabled}
              disabled={setStatus.busy}
              onChange={(event) =>
                void setStatus.run({
                  id,
                  status_only: '1',
                  status: event.currentTarget.checked ? enabled : disabled,
                })
              }
              aria-label={t('redeem.toggle', { name, id })}
            />
          )}
        </Table.Td>
        <Table.Td className="rest">
          <RecordName id={id} name={name} idLabel={t('redeem.codeId')} onOpen={onOpen}>
            {isUsed(code) && <Badge color="gray">{t('redeem.state_3')}</Badge>}
            {code.is_expired && <Badge color="orange">{t('redeem.state_expired')}</Badge>}
          </RecordName>
        </Table.Td>
        <Table.Td className="wider-only">
          <Box maw={110}>
            <CopyText value={key} label={t('redeem.code')} />
          </Box>
        </Table.Td>
        <Table.Td className="numeric">{format.money(code.quota)}</Table.Td>
        <Table.Td className="numeric widest-only">{format.time(code.created_time)}</Table.Td>
        <Table.Td className="numeric widest-only">
          {code.expired_time === 0 ? t('common.never') : format.fullTime(code.expired_time)}
        </Table.Td>
        <Table.Td className="numeric widest-only">
          {isUsed(code)
            ? t('redeem.redeemedBy', {
                time: format.time(code.redeemed_time),
                user: code.used_username || `#${code.used_user_id}`,
              })
            : '–'}
        </Table.Td>
        <Table.Td>
          <RowMenu
            row={code}
            deletes="redemption.delete"
            reads={['redemption.search']}
            title={t('redeem.deleteTitle')}
            text={t('redeem.deleteText', { name, id })}
            onEdit={onOpen}
          />
        </Table.Td>
      </Table.Tr>
      {setStatus.failure && (
        <Table.Tr>
          <Table.Td colSpan={8}>
            <FailureNote failure={setStatus.failure} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}
