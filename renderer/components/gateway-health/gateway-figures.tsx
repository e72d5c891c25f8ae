import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { GatewayHealth } from '../../gateway/records.ts'
import { CopyText } from '../actions/copy-text.tsx'
import { clockText } from '../format/countdown.tsx'
import { useFormat } from '../format/use-format.ts'
import { type Figure, Figures } from '../layout/figures.tsx'
import styles from './gateway-health.module.css'

const day = 86_400

export function GatewayFigures({ health }: { health: GatewayHealth }) {
  const { t } = useTranslation()
  const figures = useFigures(health)
  const { version, node, platform, log } = health
  return (
    <div>
      <Figures figures={figures} label={t('health.figures')} even />
      <div className={styles.foot}>
        <Text c="dimmed" fz={12}>
          {t('health.version', { version, node, platform })}
        </Text>
        {log.path !== null && (
          <Text c="dimmed" fz={12} className={styles.path}>
            {t('health.log')} <CopyText value={log.path} label={t('health.log')} />
          </Text>
        )}
      </div>
    </div>
  )
}

function useFigures(health: GatewayHealth): Figure[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { calls, event_loop: loop, memory, disk, ledger, state, upstream, uptime } = health
  const size = (bytes: number | null) => (bytes === null ? '–' : format.size(bytes))
  const days = Math.floor(uptime / day)
  const clock = clockText(uptime % day)
  return [
    {
      name: t('health.calls'),
      value: format.count(calls.active),
      detail:
        calls.limit === 0
          ? t('health.callsAny')
          : t('health.callsOf', { limit: format.count(calls.limit) }),
    },
    { name: t('health.waiting'), value: format.count(calls.waiting) },
    { name: t('health.clientConnections'), value: format.count(health.connections) },
    { name: t('health.upstreamConnections'), value: format.count(upstream.sockets) },
    {
      name: t('health.uptime'),
      value: days > 0 ? t('health.days', { count: days, clock }) : clock,
    },
    {
      name: t('health.loop'),
      value: format.duration(loop.p99_ms),
      detail: t('health.loopDetail', {
        mean: format.duration(loop.mean_ms),
        longest: format.duration(loop.max_ms),
      }),
    },
    {
      name: t('health.memory'),
      value: size(memory.rss),
      detail: t('health.memoryDetail', { heap: size(memory.heap_used) }),
    },
    { name: t('health.disk'), value: size(disk.free) },
    {
      name: t('health.ledger'),
      value: size(ledger.size),
      bad: ledger.problem !== null,
      detail:
        ledger.problem ??
        (ledger.rows_waiting > 0
          ? t('health.ledgerWaiting', { count: ledger.rows_waiting })
          : t('health.ledgerWritten')),
    },
    {
      name: t('health.settingsFile'),
      value: size(state.size),
      bad: state.problem !== null,
      detail: state.problem ?? t('health.settingsFileWritten'),
    },
  ]
}
