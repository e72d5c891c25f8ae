import { UnstyledButton } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { GatewayHealth } from '../../gateway/records.ts'
import styles from './server-pill.module.css'

export interface HealthStateProps {
  health: GatewayHealth
  /** Such as "running". */
  state: string
  isPaused: boolean
}

/** Problems as the pill counts and lists them; the pause is its state. */
export const problemsOf = ({ warnings }: GatewayHealth) =>
  warnings.filter(({ code }) => code !== 'paused')

/** The state in the server pill, and how many problems there are. */
export function HealthButton({
  health,
  state,
  isPaused,
  ...button
}: HealthStateProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation()
  const count = problemsOf(health).length
  const problems = count > 0 ? t('health.problems', { count }) : ''
  return (
    <UnstyledButton
      {...button}
      className={styles.state}
      aria-label={[t('health.title'), state, problems].filter(Boolean).join(', ')}
    >
      <span className={styles.dot} aria-hidden />
      <span className={styles.words}>{isPaused ? state : problems || state}</span>
    </UnstyledButton>
  )
}
