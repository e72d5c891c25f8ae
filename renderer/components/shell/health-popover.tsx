import { Anchor, Group, Popover, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { GatewayFigures } from '../gateway-health/gateway-figures.tsx'
import { ProblemList } from '../gateway-health/problem-list.tsx'
import { Details } from '../layout/details.tsx'
import { HealthButton, type HealthStateProps, problemsOf } from './health-button.tsx'
import styles from './server-pill.module.css'

/** The gateway’s health: its problems in words, and its figures for those who ask. It opens at once. */
export function HealthPopover(props: HealthStateProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [hasDetails, setDetails] = useState(false)
  const { health } = props
  const { status } = health
  const problems = problemsOf(health)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was clicked went with the focus, unless that has moved on.
    if (document.activeElement === document.body) button.current?.focus()
    setOpen(true)
  }, [])
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
        <HealthButton {...props} ref={button} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown className={styles.health}>
        <div className={styles.verdict} data-status={status}>
          {status === 'ok' ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
          <Text fw={600}>{t(`health.status_${status}`)}</Text>
        </div>
        {problems.length > 0 ? (
          <ProblemList problems={problems} />
        ) : (
          <Text c="dimmed">{t(status === 'ok' ? 'health.status_okHint' : 'health.inBanner')}</Text>
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
