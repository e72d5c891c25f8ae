import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallFacts } from '../call-facts.ts'
import { Tag } from './tag.tsx'

interface CallBadgesProps {
  facts: CallFacts
  isRefused: boolean
}

/** All that was unusual about a call, in few characters: each says it in words too. */
export function CallBadges({ facts, isRefused }: CallBadgesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { tried, losses, cut, estimated, tier, askedModel, replayOf } = facts
  const { cachedTokens, inputTokens } = facts
  const failovers = Math.max(0, tried.length - 1)
  const cached = cachedTokens && inputTokens ? cachedTokens / inputTokens : 0
  const badges = [
    isRefused && {
      text: t('callList.refused'),
      title: t('callList.refusedTitle'),
      color: 'red' as const,
    },
    cut && { text: t('callList.cut'), title: t('callList.cutTitle'), color: 'orange' as const },
    failovers > 0 && {
      text: `↻${failovers}`,
      title: t('callList.failovers', { count: failovers }),
      color: 'yellow' as const,
    },
    losses.length > 0 && {
      text: `−${losses.length}`,
      title: t('callList.losses', { count: losses.length }),
      color: 'yellow' as const,
    },
    estimated && { text: '≈', title: t('callList.estimated'), color: 'gray' as const },
    tier !== null && {
      text: tier,
      title: t('callList.tierTitle', { tier }),
      color: 'gray' as const,
    },
    cached > 0 && {
      text: t('callList.cached', { share: format.percent(Math.round(cached * 100) / 100) }),
      title: t('callList.cachedTitle', { count: cachedTokens }),
      color: 'gray' as const,
    },
    askedModel !== null && {
      text: t(facts.route?.named ? 'callList.route' : 'callList.alias'),
      title: t('callList.aliasTitle', { alias: askedModel }),
      color: 'gray' as const,
    },
    replayOf !== null && {
      text: t('callList.replay'),
      title: t('callList.replayTitle', { id: replayOf }),
      color: 'iris' as const,
    },
  ].filter((badge) => badge !== false)
  return badges.map(({ text, title, color }) => (
    <Tag key={text} color={color} title={title}>
      {text}
    </Tag>
  ))
}
