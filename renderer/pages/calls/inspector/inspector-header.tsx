import { ActionIcon, Anchor, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { approximate } from '../../../components/format/approximate.ts'
import { sessionPath } from '../../../components/format/session-path.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import { useFailureText, useSentence } from '../../../i18n/use-sentence.ts'
import { type CallFacts, readCallFacts } from '../call-facts.ts'
import { CallBadges } from '../cells/call-badges.tsx'
import { CallCost } from '../cells/call-cost.tsx'
import { CallStatus } from '../cells/call-status.tsx'
import { Elapsed } from '../cells/elapsed.tsx'
import { FilterValue } from '../cells/filter-value.tsx'
import { StopCall } from '../cells/stop-call.tsx'
import { ReplayButton } from '../replay/replay-button.tsx'
import { CopyAs } from './capture/copy-as.tsx'
import { FactList } from './fact-list.tsx'
import styles from './inspector.module.css'

interface InspectorHeaderProps {
  call: TimelineRow
  /** Start of a running call by this browser's clock, in milliseconds since 1970. */
  since: number
  onClose: () => void
}

export function InspectorHeader({ call, since, onClose }: InspectorHeaderProps) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const say = useSentence()
  const format = useFormat()
  const facts = readCallFacts(call)
  const isRunning = call.kind === 'running'
  const isRefused = call.kind === 'refused'
  const status = <CallStatus facts={facts} isRunning={isRunning} />
  return (
    <div className={styles.header}>
      <div className={styles.headline}>
        {facts.status === null ? (
          status
        ) : (
          <FilterValue field="status" value={String(facts.status)}>
            {status}
          </FilterValue>
        )}
        <h2 className={styles.name}>
          {call.model_name ? (
            <FilterValue field="model" value={call.model_name} />
          ) : (
            [facts.method, facts.path].filter(Boolean).join(' ') || t('callPanel.call')
          )}
        </h2>
        <CallBadges facts={facts} isRefused={isRefused} />
        {isRunning && <StopCall call={call} />}
        <span className={styles.actions}>
          {call.has_capture && <ReplayButton call={call} hotkey />}
          {call.has_capture && <CopyAs requestId={call.request_id ?? ''} />}
        </span>
        <ActionIcon onClick={onClose} aria-label={t('callPanel.close')} title="Esc">
          <IconX size={16} />
        </ActionIcon>
      </div>
      <div className={styles.times}>
        <span>{format.fullTime(call.created_at)}</span>
        {call.request_id && <CopyText value={call.request_id} label={t('calls.requestId')} />}
      </div>
      {facts.hint && <Text fw={500}>{say({ message: facts.hint, reason: facts.hintReason })}</Text>}
      {call.content && (
        <div className={styles.message} data-failed={facts.failed || facts.cut || undefined}>
          {failureText(facts.errorCode, call.content, facts.errorReason)}
        </div>
      )}
      {facts.more !== null && <Text c="dimmed">{t('callList.more', { count: facts.more })}</Text>}
      <FactList facts={useHeaderFacts(call, facts, isRunning ? since : null)} />
    </div>
  )
}

function useHeaderFacts(
  call: TimelineRow,
  facts: CallFacts,
  since: number | null,
): [string, ReactNode][] {
  const { t } = useTranslation()
  const format = useFormat()
  const isAdministrator = useIsAdministrator()
  const isShared = useIsShared()
  const filter = (field: string, value: string | null) => (
    <FilterValue key={field} field={field} value={value ?? ''} />
  )
  const isModelCall = call.kind === 'call' || call.kind === 'running'
  const path = [
    t('calls.path'),
    <span key="path">
      {facts.method} {filter('path', facts.path)}
    </span>,
  ] as const
  const tokens = (count: number | null) => approximate(format.count(count), facts.estimated)
  const figures: [string, ReactNode][] = isModelCall
    ? [
        [
          t('calls.duration'),
          since === null ? format.duration(facts.duration) : <Elapsed key="since" since={since} />,
        ],
        [t('calls.firstToken'), format.duration(facts.firstToken)],
        [t('callPanel.inAndOut'), `${tokens(facts.inputTokens)} → ${tokens(facts.outputTokens)}`],
        [t('calls.cost'), <CallCost key="cost" facts={facts} />],
        ...(isAdministrator
          ? [
              [
                t('calls.channel'),
                call.channel_name ? (
                  <span key="channel">
                    {filter('channel', call.channel_name)} #{call.channel}
                  </span>
                ) : (
                  '–'
                ),
              ] as [string, ReactNode],
            ]
          : []),
      ]
    : []
  return [
    ...figures,
    ...(isAdministrator && isShared
      ? [[t('callList.user'), filter('user', call.username)] as [string, ReactNode]]
      : []),
    [t('calls.token'), filter('token', call.token_name)],
    [path[0], path[1]],
    ...(facts.client
      ? [[t('callList.client'), filter('client', facts.client)] as [string, ReactNode]]
      : []),
    ...(facts.session
      ? [
          [
            t('callList.session'),
            <Anchor key="session" component={Link} href={sessionPath(facts.session, call.user_id)}>
              {facts.session}
            </Anchor>,
          ] as [string, ReactNode],
        ]
      : []),
    [t('calls.address'), call.ip || '–'],
    ...(facts.errorCode
      ? [[t('calls.errorCode'), filter('error', facts.errorCode)] as [string, ReactNode]]
      : []),
  ]
}
