import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { withoutBanner } from '../../components/shell/gateway-banner.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import styles from './overview.module.css'

/** Where tools call, and whether that works. */
export function AddressCard() {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const server = useOperation('server.get', {})
  const role = useRole()
  const isAdministrator = role >= roles.administrator
  const health = useOperation('diagnostics.health', {}, { enabled: isAdministrator })
  if (!server.data) return null
  const { url, paused_since: pausedSince, started_at: startedAt } = server.data
  const isAnswering = !server.isError
  // What stops the gateway, and what has a banner of its own, is told above.
  const problems =
    isAnswering && health.data && health.data.status !== 'failing'
      ? withoutBanner(health.data.warnings)
      : []
  const [first] = problems
  const state = !isAnswering
    ? 'failing'
    : pausedSince
      ? 'warning'
      : (health.data?.status ?? (role > 0 && !isAdministrator ? 'ok' : undefined))
  const words = !isAnswering
    ? t('overview.away')
    : pausedSince
      ? t('overview.paused')
      : t(state === 'failing' ? 'health.status_failing' : 'overview.takesCalls')
  return (
    <Panel title={t('overview.address')}>
      <div className={styles.address}>
        <div className={styles.url}>
          <CopyText value={url} label={t('overview.address')} wraps />
        </div>
        <div className={styles.state} role="status">
          <span className={styles.dot} data-state={state} aria-hidden />
          <span>{words}</span>
        </div>
        {first ? (
          <Text>
            {say(first)}{' '}
            <Anchor component={Link} href="/health" td="underline">
              {problems.length > 1
                ? t('health.bannerMore', { count: problems.length - 1 })
                : t('health.open')}
            </Anchor>
          </Text>
        ) : (
          <Text c="dimmed">
            {isAnswering && health.data?.status === 'ok' && t('health.status_okHint')}{' '}
            {startedAt > 0 && t('overview.since', { time: format.time(startedAt) })}
          </Text>
        )}
      </div>
    </Panel>
  )
}
