import { Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import type { PassedCheck } from '../channels/form/channel-form.tsx'
import { FoundKeys } from '../channels/found/found-keys.tsx'
import styles from './welcome.module.css'

/** Not there where no key was found, or the console is open on another machine. */
export function FoundSection({ onDone }: { onDone: (passed: readonly PassedCheck[]) => void }) {
  const { t } = useTranslation()
  const search = useOperation('transfer.found', {})
  const found = search.data?.found ?? []
  if (found.length === 0) return null
  return (
    <section className={styles.choice} aria-labelledby="found-keys">
      <Title order={3} id="found-keys">
        {t('foundKeys.title')}
      </Title>
      <Text c="dimmed">{t('foundKeys.hint')}</Text>
      <FoundKeys found={found} onDone={onDone} />
    </section>
  )
}
