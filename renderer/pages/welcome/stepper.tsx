import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './welcome.module.css'

export function Stepper({ current, names }: { current: number; names: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <ol className={styles.trail} aria-label={t('welcome.steps')}>
      {names.map((name, index) => (
        <li
          key={name}
          data-done={index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={styles.number} aria-hidden>
            {index < current ? <IconCheck size={13} stroke={2.5} /> : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  )
}
