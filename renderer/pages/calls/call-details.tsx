import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { unitsOf } from '../../components/format/quota-units.ts'
import { sessionPath } from '../../components/format/session-path.ts'
import { useFormat } from '../../components/format/use-format.ts'
import type { CallRecord } from '../../gateway/records.ts'
import { CallCost } from './call-cost.tsx'
import type { CacheFacts, CallFacts } from './call-facts.ts'
import { CallRoute } from './call-route.tsx'
import styles from './call-table.module.css'

export function CallDetails({ call, facts }: { call: CallRecord; facts: CallFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const entries: [string, ReactNode][] = [
    [
      t('calls.requestId'),
      call.request_id ? (
        <CopyText key="id" value={call.request_id} label={t('calls.requestId')} />
      ) : (
        '–'
      ),
    ],
    [t('calls.time'), format.fullTime(call.created_at)],
    [t('calls.token'), call.token_name || '–'],
    [t('calls.channel'), call.channel_name ? `${call.channel_name} #${call.channel}` : '–'],
    [t('calls.input'), format.count(facts.inputTokens)],
    [t('calls.output'), format.count(facts.outputTokens)],
    [t('calls.cached'), format.count(facts.cachedTokens)],
    [t('calls.cacheWrite'), format.count(facts.cacheWriteTokens)],
    ...(facts.cache
      ? [
          [t('calls.explicitCache'), <CallCache key="cache" cache={facts.cache} />] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    [t('calls.reasoning'), format.count(facts.reasoningTokens)],
    ...facts.counted.map(({ kind, count }): [string, ReactNode] => [
      t(`counted.${kind}`),
      format.amount(count),
    ]),
    [t('calls.cost'), <CallCost key="cost" facts={facts} />],
    [t('calls.firstToken'), format.duration(facts.firstToken)],
    [t('calls.duration'), format.duration(facts.duration)],
    [t('calls.stream'), t(call.is_stream ? 'calls.yes' : 'calls.no')],
    [t('calls.format'), [facts.format, facts.upstreamFormat].filter(Boolean).join(' → ') || '–'],
    [t('calls.path'), facts.path ?? '–'],
    ...(facts.session
      ? [
          [
            t('sessions.session'),
            <Anchor key="session" component={Link} href={sessionPath(facts.session, call.user_id)}>
              {facts.session}
            </Anchor>,
          ] as [string, ReactNode],
        ]
      : []),
    [t('calls.upstreamModel'), facts.upstreamModel ?? call.model_name],
    [t('calls.channelsTried'), facts.tried.map((id) => `#${id}`).join(' → ') || '–'],
    [t('calls.address'), call.ip || '–'],
    [t('calls.group'), call.group || '–'],
    [t('calls.errorCode'), facts.errorCode ?? '–'],
  ]
  return (
    <>
      {(call.content || facts.losses.length > 0) && (
        <dl className={styles.facts}>
          {call.content && (
            <div className={styles.message}>
              <dt>{t('calls.message')}</dt>
              <dd>{call.content}</dd>
            </div>
          )}
          {facts.losses.length > 0 && (
            <div className={styles.message}>
              <dt>{t('calls.losses')}</dt>
              {facts.losses.map((loss) => (
                <dd key={loss}>{loss}</dd>
              ))}
            </div>
          )}
        </dl>
      )}
      <CallRoute facts={facts} />
      <dl className={styles.facts}>
        {entries.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Google's explicit cache; a dash where the storage cost is unknown. */
function CallCache({ cache }: { cache: CacheFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { action, why } = cache
  const tokens = format.count(cache.tokens)
  const ttl = format.duration(cache.ttl === null ? null : cache.ttl * 1000)
  const cost = format.money(cache.storage === null ? null : unitsOf(cache.storage))
  if (action === 'none') return <>{t('calls.cacheNone', { why })}</>
  if (action === 'used') return <>{t('calls.cacheUsed', { tokens })}</>
  return (
    <>{t(action === 'made' ? 'calls.cacheMade' : 'calls.cacheExtended', { tokens, ttl, cost })}</>
  )
}
