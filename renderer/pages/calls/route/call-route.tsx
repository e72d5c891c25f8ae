import { Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallFacts } from '../call-facts.ts'
import type { NamedRoute } from '../route-facts.ts'
import { CallAttempts } from './call-attempts.tsx'
import { CallCandidates } from './call-candidates.tsx'
import styles from './call-route.module.css'

const affinities = ['kept', 'new', 'left'] as const

export function CallRoute({ facts }: { facts: CallFacts }) {
  const { t } = useTranslation()
  const id = useId()
  const { route, routeMissing } = facts
  if (!route && !routeMissing) return null
  const affinity = affinities.find((one) => one === route?.affinity)
  return (
    <section className={styles.route} aria-labelledby={id}>
      <h3 className={styles.title} id={id}>
        {t('callRoute.title')}
      </h3>
      {route ? (
        <>
          {route.named && <CalledRoute route={route.named} />}
          {affinity && <Text c="dimmed">{t(`callRoute.affinity_${affinity}`)}</Text>}
          <div className={styles.columns}>
            <CallAttempts attempts={route.attempts} />
            <CallCandidates candidates={route.candidates} more={route.more} />
          </div>
        </>
      ) : (
        <Text c="dimmed">{t('callRoute.notRecorded')}</Text>
      )}
    </section>
  )
}

function CalledRoute({ route: { name, rule, unserved } }: { route: NamedRoute }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <Text>
        {rule === null
          ? t('callRoute.ownTargets', { name })
          : t('callRoute.ruleTargets', { name, rule })}
      </Text>
      {unserved.length > 0 && (
        <Text c="var(--warn)">
          {t('callRoute.unserved', { models: format.list([...new Set(unserved)]) })}
        </Text>
      )}
    </>
  )
}
