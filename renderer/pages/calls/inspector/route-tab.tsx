import { useTranslation } from 'react-i18next'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import { readCallFacts } from '../call-facts.ts'
import { FilterValue } from '../cells/filter-value.tsx'
import { LossText } from '../loss-text.tsx'
import { CallRoute } from '../route/call-route.tsx'
import { FactList } from './fact-list.tsx'
import styles from './inspector.module.css'

/** Where a call went and why, and what the way there cost it. */
export function RouteTab({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  const facts = readCallFacts(call)
  const isAdministrator = useIsAdministrator()
  return (
    <>
      <CallRoute facts={facts} />
      {facts.losses.length > 0 && (
        <section className={styles.section}>
          <h3>{t('calls.losses')}</h3>
          <ul className={styles.losses}>
            {facts.losses.map((loss) => (
              <li key={`${loss.kind} ${loss.path} ${loss.note}`}>
                <LossText loss={loss} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <FactList
        facts={[
          [
            t('calls.format'),
            facts.format ? (
              <span key="format">
                <FilterValue field="format" value={facts.format} />
                {facts.upstreamFormat && ` → ${facts.upstreamFormat}`}
              </span>
            ) : (
              '–'
            ),
          ],
          [t('calls.askedModel'), facts.askedModel ?? (call.model_name || '–')],
          [t('calls.upstreamModel'), facts.upstreamModel ?? (call.model_name || '–')],
          ...(isAdministrator
            ? [
                [
                  t('calls.channelsTried'),
                  facts.tried.map((id) => `#${id}`).join(' → ') || '–',
                ] as [string, string],
              ]
            : []),
          [t('calls.group'), call.group || '–'],
          [t('calls.stream'), t(call.is_stream ? 'calls.yes' : 'calls.no')],
        ]}
      />
    </>
  )
}
