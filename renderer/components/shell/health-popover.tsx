import { Anchor, Group, Popover, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { GatewayHealth } from '../../gateway/records.ts'
import { GatewayFigures } from '../gateway-health/gateway-figures.tsx'
import { ProblemList } from '../gateway-health/problem-list.tsx'
import { Details } from '../layout/details.tsx'
import styles from './server-pill.module.css'

interface HealthPopoverProps {
  health: GatewayHealth
  /** Such as "running". */
  state: string
  isPaused: boolean
}

/** The gateway’s health at a click: its problems in words, and its figures for those who ask. */
export function HealthPopover({ health, state, isPaused }: HealthPopoverProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [hasDetails, setDetails] = useState(false)
  const { status, warnings } = health
  // The pause is the state itself.
  const count = warnings.filter(({ code }) => code !== 'paused').length
  const problems = count > 0 ? t('health.problems', { count }) : ''
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width="min(460px, calc(100vw - 24px))"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.state}
          onClick={() => setOpen(!isOpen)}
          aria-label={[t('health.title'), state, problems].filter(Boolean).join(', ')}
        >
          <span className={styles.dot} aria-hidden />
          <span className={styles.words}>{isPaused ? state : problems || state}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.health}>
        <div className={styles.verdict} data-status={status}>
          {status === 'ok' ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
          <Text fw={600}>{t(`health.status_${status}`)}</Text>
        </div>
        {warnings.length > 0 ? (
          <ProblemList problems={warnings} />
        ) : (
          <Text c="dimmed">{t('health.status_okHint')}</Text>
        )}
        <Details
          title={t('health.details')}
          isOpen={hasDetails}
          onToggle={() => setDetails(!hasDetails)}
        >
          <GatewayFigures health={health} />
        </Details>
        <Group justify="flex-end">
          <Anchor component={Link} href="/health" onClick={() => setOpen(false)}>
            {t('health.open')}
          </Anchor>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
