import { useTranslation } from 'react-i18next'
import { unitsOf } from '../../components/format/quota-units.ts'
import { useFormat } from '../../components/format/use-format.ts'
import type { CacheFacts } from './call-facts.ts'

/** Google's explicit cache; a dash where the storage cost is unknown. */
export function CallCache({ cache }: { cache: CacheFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { action, why } = cache
  const tokens = format.count(cache.tokens)
  const ttl = format.duration(cache.ttl === null ? null : cache.ttl * 1000)
  const cost = format.money(cache.storage === null ? null : unitsOf(cache.storage))
  if (action === 'none') return <>{t('calls.cacheNone', { why })}</>
  if (action === 'used') return <>{t('calls.cacheUsed', { tokens })}</>
  return (
    <>{t(action === 'made' ? 'calls.cacheMade' : 'calls.cacheExtended', { tokens, ttl, cost })}</>
  )
}
