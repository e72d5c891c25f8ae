import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { approximate } from '../../../components/format/approximate.ts'
import { unitsOf } from '../../../components/format/quota-units.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { type CacheFacts, type CallFacts, readCallFacts } from '../call-facts.ts'
import { CallCost } from '../cells/call-cost.tsx'
import { FactList } from './fact-list.tsx'
import styles from './inspector.module.css'
import { type OtherCost, readOtherCosts } from './other-costs.ts'
import { readUsagePrice, type UsagePrice } from './usage-price.ts'
import { VendorUsage } from './vendor-usage.tsx'

/** Tokens and their price by kind, what the cache saved, and the vendor's own figures. */
export function UsageTab({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = readCallFacts(call)
  const tokens = (count: number | null) => approximate(format.count(count), facts.estimated)
  // An estimate knows the sums alone: no part of them is a figure.
  const part = (count: number | null) => tokens(facts.estimated ? count || null : count)
  const entries: [string, ReactNode][] = [
    [t('calls.input'), tokens(facts.inputTokens)],
    [t('calls.cached'), part(facts.cachedTokens)],
    [t('calls.cacheWrite'), part(facts.cacheWriteTokens)],
    [t('calls.output'), tokens(facts.outputTokens)],
    [t('calls.reasoning'), part(facts.reasoningTokens)],
    ...facts.counted.map(({ kind, count }): [string, ReactNode] => [
      t(`counted.${kind}`),
      format.amount(count),
    ]),
    ...(facts.cache
      ? [
          [t('calls.explicitCache'), <CallCache key="cache" cache={facts.cache} />] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    ...(facts.answeredBy.length > 0
      ? [[t('calls.answeredBy'), format.list(facts.answeredBy)] as [string, ReactNode]]
      : []),
    ...(facts.tier ? [[t('calls.tier'), facts.tier] as [string, ReactNode]] : []),
    [t('calls.cost'), <CallCost key="cost" facts={facts} />],
  ]
  return (
    <>
      {facts.estimated && <p className={styles.note}>{t('callPanel.estimated')}</p>}
      {facts.unbilled && <p className={styles.note}>{t('callPanel.unbilled')}</p>}
      {facts.priceUnset && <p className={styles.note}>{t('callPanel.priceUnset')}</p>}
      {facts.tierUnpriced && <p className={styles.note}>{t('callPanel.tierUnpriced')}</p>}
      {facts.imageToolUnpriced && <p className={styles.note}>{t('callPanel.imageToolUnpriced')}</p>}
      <FactList facts={entries} />
      <PriceTable call={call} facts={facts} />
      <VendorUsage call={call} />
    </>
  )
}

const noPrice: UsagePrice = { kinds: [], perCall: null, saved: null, factor: 1 }

function PriceTable({ call, facts }: { call: TimelineRow; facts: CallFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = readUsagePrice(call) ?? noPrice
  const others = readOtherCosts(call)
  const money = (dollars: number) => format.money(unitsOf(dollars))
  const nameOf = ({ kind, models }: OtherCost) => {
    if (kind === 'models') return format.list(models)
    if (kind === 'request') return t('callPanel.perCall')
    return kind === 'storage' ? t('callPanel.cacheStorage') : t(`counted.${kind}`)
  }
  if (price.kinds.length === 0 && price.perCall === null && others.length === 0) return null
  return (
    <section className={styles.section}>
      <h3>{t('callPanel.price')}</h3>
      <Table verticalSpacing={3} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('callPanel.kind')}</Table.Th>
            <Table.Th className="numeric">{t('callPanel.tokens')}</Table.Th>
            <Table.Th className="numeric">{t('callPanel.perMillion')}</Table.Th>
            <Table.Th className="numeric">{t('calls.cost')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {price.kinds.map(({ kind, tokens, rate, cost }) => (
            <Table.Tr key={kind}>
              <Table.Td>{t(`callPanel.kind_${kind}`)}</Table.Td>
              <Table.Td className="numeric">
                {approximate(format.count(tokens), facts.estimated)}
              </Table.Td>
              <Table.Td className="numeric">{money(rate)}</Table.Td>
              <Table.Td className="numeric">{approximate(money(cost), facts.estimated)}</Table.Td>
            </Table.Tr>
          ))}
          {price.perCall !== null && (
            <Table.Tr>
              <Table.Td>{t('callPanel.perCall')}</Table.Td>
              <Table.Td className="numeric">–</Table.Td>
              <Table.Td className="numeric">–</Table.Td>
              <Table.Td className="numeric">{money(price.perCall)}</Table.Td>
            </Table.Tr>
          )}
          {others.map((one) => (
            <Table.Tr key={nameOf(one)}>
              <Table.Td>{nameOf(one)}</Table.Td>
              <Table.Td className="numeric">
                {one.count === null ? '–' : format.amount(one.count)}
              </Table.Td>
              <Table.Td className="numeric">–</Table.Td>
              <Table.Td className="numeric">
                {one.cost === null
                  ? t('common.unpriced')
                  : approximate(money(one.cost), facts.estimated)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {price.factor !== 1 && (
        <p className={styles.note}>
          {t('callPanel.factor', { factor: format.factor(price.factor) })}
        </p>
      )}
      {price.saved !== null && (
        <p className={styles.note}>
          {t(price.saved >= 0 ? 'callPanel.saved' : 'callPanel.costMore', {
            money: money(Math.abs(price.saved)),
          })}
        </p>
      )}
    </section>
  )
}

/** Google's explicit cache; a dash where the storage cost is unknown. */
function CallCache({ cache }: { cache: CacheFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { action } = cache
  const tokens = { count: cache.tokens ?? 0, tokens: format.count(cache.tokens) }
  const ttl = format.duration(cache.ttl === null ? null : cache.ttl * 1000)
  const cost = format.money(cache.storage === null ? null : unitsOf(cache.storage))
  if (action === 'none') return <>{t('calls.cacheNone', { why: say(cache.why) })}</>
  if (action === 'used') return <>{t('calls.cacheUsed', tokens)}</>
  return (
    <>
      {t(action === 'made' ? 'calls.cacheMade' : 'calls.cacheExtended', { ...tokens, ttl, cost })}
    </>
  )
}
