import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../preload/contract.ts'
import styles from './connect.module.css'

type Machine = OperationOutput<'connect.tools'>['machine']

/** Why tools may be there that the gateway doesn't see, or why it writes none of their files. */
export function MachineNote({ machine }: { machine: Machine }) {
  const { t } = useTranslation()
  const { home, kind, home_problem } = machine
  if (home_problem !== null) {
    return (
      <Alert role="note" color="orange" title={t('connectTools.homeTitle')}>
        <Text className={styles.breaks}>{t(`connectTools.home_${home_problem}`, { home })}</Text>
      </Alert>
    )
  }
  if (kind === 'plain') return null
  return (
    <Alert role="note" color="gray" title={t(`connectTools.in_${kind}`)}>
      <Text className={styles.breaks}>{t(`connectTools.in_${kind}_text`, { home })}</Text>
    </Alert>
  )
}
