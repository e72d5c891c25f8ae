import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import { stepsOf, type TargetRecord } from './route-facts.ts'
import type { RouteChoices } from './use-route-choices.ts'

/** Targets in words: a model with the channel or tag that it is limited to. */
export function useTargetText({ nameOf }: Pick<RouteChoices, 'nameOf'>) {
  const { t, i18n } = useTranslation()
  const format = useFormat()

  const one = ({ model, channel_id: channelId, tag }: TargetRecord): string => {
    const places = [channelId !== null && nameOf(channelId), tag].filter(Boolean)
    return places.length === 0
      ? model
      : t('routes.limitedTarget', { model, place: places.join(', ') })
  }

  /** "gpt-5 70% / claude 30% → deepseek" */
  const inOrder = (targets: readonly TargetRecord[]): string =>
    stepsOf(targets)
      .map((step) =>
        step
          .map(({ target, share }) =>
            share === null ? one(target) : `${one(target)} ${format.percent(share)}`,
          )
          .join(' / '),
      )
      .join(' → ')

  const list = (targets: readonly TargetRecord[]): string =>
    new Intl.ListFormat(i18n.language).format(targets.map(one))

  return { inOrder, list }
}
