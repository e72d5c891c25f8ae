import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import type { Diagnosis } from '../../gateway/records.ts'
import styles from './sessions.module.css'

/** Why the cache missed, in a sentence and by cause. */
export function DiagnosisPanel({ diagnosis }: { diagnosis: Diagnosis }) {
  const { t } = useTranslation()
  const { causes } = diagnosis
  return (
    <Panel title={t('sessions.doctor')} hint={useSummary(diagnosis)} flush>
      {causes.length > 0 && <CauseTable causes={causes} />}
    </Panel>
  )
}

function useSummary({
  causes,
  compared,
  missed_tokens: missed,
  prompt_tokens: input,
  cached_tokens: cached,
}: Diagnosis): string {
  const { t } = useTranslation()
  const format = useFormat()
  const [first] = causes
  if (compared === 0) return t('sessions.nothingToCompare')
  if (!first) return t(cached === 0 ? 'sessions.hardlyResent' : 'sessions.noMiss')
  const cause = t(`sessions.cause_${first.cause}`)
  const share = t('sessions.resent', { share: format.percent(missed / input) })
  const often =
    first.calls === compared
      ? t('sessions.everyCall')
      : t('sessions.someCalls', { count: first.calls })
  if (first.path === null) return t('sessions.summary', { share, cause, often })
  return first.cause === 'setting-changed'
    ? t('sessions.summarySetting', { share, often, path: first.path })
    : t('sessions.summaryAt', { share, cause, often, path: first.path })
}

function CauseTable({ causes }: Pick<Diagnosis, 'causes'>) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('sessions.cause')}</Table.Th>
          <Table.Th className="wide-only">{t('sessions.place')}</Table.Th>
          <Table.Th className="numeric">{t('sessions.calls')}</Table.Th>
          <Table.Th className="numeric">{t('sessions.resentTokens')}</Table.Th>
          <Table.Th className="numeric">{t('sessions.extraCost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {causes.map(({ cause, path, calls, missed_tokens: missed, quota }) => (
          <Table.Tr key={`${cause} ${path}`}>
            <Table.Td className={styles.cause}>{t(`sessions.cause_${cause}`)}</Table.Td>
            <Table.Td className="wide-only mono">{path ?? '–'}</Table.Td>
            <Table.Td className="numeric">{format.count(calls)}</Table.Td>
            <Table.Td className="numeric">{format.count(missed)}</Table.Td>
            <Table.Td className="numeric">{format.money(quota)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
