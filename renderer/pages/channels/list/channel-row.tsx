import { Button, Group, Switch, Table, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canReset } from '../../../components/channel-health/health-facts.ts'
import { unitsOf } from '../../../components/format/quota-units.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import { SelectCell } from '../../../components/selection/select-cells.tsx'
import type { RowSelection } from '../../../components/selection/use-row-selection.ts'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelHealth, ChannelRecord } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { channelQueries } from '../channel-queries.ts'
import { splitList } from '../form/channel-draft.ts'
import { ChannelMenu } from './channel-menu.tsx'
import { ChannelNameCell } from './channel-name-cell.tsx'
import { ChannelResultRow } from './channel-result-row.tsx'
import styles from './channel-row.module.css'
import type { ChannelTests } from './use-channel-tests.ts'

const enabled = 1
const disabled = 2

/** The table's number of columns. */
export const channelColumns = 8

interface ChannelRowProps {
  channel: ChannelRecord
  /** Undefined while loading. */
  health: ChannelHealth | undefined
  selection: RowSelection
  tests: ChannelTests
  onOpen: () => void
}

export function ChannelRow({ channel, health, selection, tests, onOpen }: ChannelRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const setStatus = useAction('channel.status', channelQueries)
  const copy = useAction('channel.copy', channelQueries)
  const balance = useAction('channel.balance', channelQueries)
  const reset = useAction('channel.reset-health', channelQueries)
  const [note, setNote] = useState<string | null>(null)
  const { id, name } = channel
  const models = splitList(channel.models)
  const test = tests.of(id)
  const isTesting = test?.state === 'running' || test?.state === 'waiting'
  const money = (dollars: unknown) => format.money(unitsOf(Number(dollars)))

  const askBalance = async () => {
    setNote(null)
    const reply = await balance.run({ id })
    if (reply) setNote(t('channels.balanceIs', { amount: money(reply.extra.balance) }))
  }

  const tryAgain = async () => {
    setNote(null)
    if (await reset.run({ id })) setNote(t('channelHealth.resetDone'))
  }

  return (
    <>
      <Table.Tr>
        <SelectCell selection={selection} row={channel} />
        <Table.Td>
          <Switch
            checked={channel.status === enabled}
            disabled={setStatus.busy}
            onChange={(event) =>
              void setStatus.run({ id, status: event.currentTarget.checked ? enabled : disabled })
            }
            aria-label={t('channels.toggle', { name })}
          />
        </Table.Td>
        <Table.Td className="rest">
          <ChannelNameCell channel={channel} health={health} onOpen={onOpen} />
        </Table.Td>
        <Table.Td className="widest-only">
          <Tooltip label={models.slice(0, 12).join(', ')} multiline maw={360}>
            <Text span className={styles.models}>
              <span className={styles.count}>
                {t('channels.modelCount', { count: models.length })}
              </span>
              <span className="mono">{models.slice(0, 3).join(', ')}</span>
            </Text>
          </Tooltip>
        </Table.Td>
        <Table.Td className="numeric widest-only">
          {channel.priority ?? 0} / {channel.weight ?? 0}
        </Table.Td>
        <Table.Td className="numeric wider-only">
          <LastTest channel={channel} />
        </Table.Td>
        <Table.Td className="numeric wider-only">
          {channel.balance_updated_time ? (
            <Tooltip label={format.fullTime(channel.balance_updated_time)}>
              <span>{money(channel.balance)}</span>
            </Tooltip>
          ) : (
            '–'
          )}
        </Table.Td>
        <Table.Td>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button
              variant="default"
              size="compact-xs"
              disabled={isTesting}
              onClick={() => void tests.run([id])}
              aria-label={t('channels.testChannel', { name })}
            >
              {t('channels.test')}
            </Button>
            <ChannelMenu
              channel={channel}
              busy={copy.busy}
              onCopy={() => void copy.run({ id, suffix: t('channels.copySuffix') })}
              onBalance={() => void askBalance()}
              onEdit={onOpen}
              {...(health && canReset(health) && { onTryAgain: () => void tryAgain() })}
            />
          </Group>
        </Table.Td>
      </Table.Tr>
      <ChannelResultRow
        columns={channelColumns}
        test={test}
        busyLabel={
          balance.busy
            ? t('channels.askingBalance')
            : reset.busy
              ? t('channelHealth.resetting')
              : null
        }
        note={note}
        failure={setStatus.failure ?? copy.failure ?? balance.failure ?? reset.failure}
        onCancel={() => {
          tests.drop(id)
          balance.cancel()
          reset.cancel()
        }}
        onClose={() => {
          tests.drop(id)
          setNote(null)
          for (const action of [setStatus, copy, balance, reset]) action.reset()
        }}
      />
    </>
  )
}

/** How long the last test took if it passed; else that it failed, and why. */
function LastTest({ channel }: { channel: ChannelRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { test_time: at, last_test: test } = channel
  if (!at) {
    return (
      <Text span c="dimmed">
        {t('channels.notTested')}
      </Text>
    )
  }
  const time = format.fullTime(at)
  if (!test) {
    return (
      <Tooltip label={t('channels.lastTestUnknownHint', { time })}>
        <Text span c="dimmed">
          {t('channels.lastTestUnknown')}
        </Text>
      </Tooltip>
    )
  }
  const isFailed = test.problem !== null
  return (
    <Tooltip
      multiline
      maw={360}
      label={[time, test.model, test.problem && say({ message: test.problem, reason: test.why })]
        .filter(Boolean)
        .join(' · ')}
    >
      {isFailed ? (
        <Text span c="var(--bad)">
          {t('channels.lastTestFailed')}
        </Text>
      ) : (
        <span>{format.duration(channel.response_time)}</span>
      )}
    </Tooltip>
  )
}
