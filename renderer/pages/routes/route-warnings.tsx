import { useTranslation } from 'react-i18next'
import type { RouteRecord } from '../../gateway/records.ts'
import { leadsNowhere, skippedTargets } from './route-facts.ts'
import styles from './routes.module.css'
import type { RouteChoices } from './use-route-choices.ts'
import { useTargetText } from './use-target-text.ts'

interface RouteWarningsProps {
  route: RouteRecord
  choices: RouteChoices
}

export function RouteWarnings({ route, choices }: RouteWarningsProps) {
  const { t, i18n } = useTranslation()
  const text = useTargetText(choices)
  const skipped = skippedTargets(route)
  const numbers = (ids: readonly number[]) =>
    new Intl.ListFormat(i18n.language).format(ids.map((id) => `#${id}`))
  const tokenWarning = ({ name, when, missing_tokens: missing }: RouteRecord['rules'][number]) => {
    if (missing.length === 0) return false
    if (missing.length === when.token_ids?.length) return t('routes.ruleUnused', { rule: name })
    const { length: count } = missing
    return t('routes.ruleTokens', { rule: name, count, tokens: numbers(missing) })
  }
  const bad = [
    leadsNowhere(route) && t('routes.nowhere'),
    ...route.rules.map(
      (rule) => leadsNowhere(rule) && t('routes.ruleNowhere', { rule: rule.name }),
    ),
  ].filter((sentence) => sentence !== false)
  const warnings = [
    skipped.length > 0 &&
      t('routes.skipped', {
        count: skipped.length,
        targets: text.list(skipped),
      }),
    ...route.rules.map(tokenWarning),
    route.hides_model && t('routes.hidesModel', { name: route.name }),
  ].filter((sentence) => sentence !== false)
  if (bad.length + warnings.length === 0) return null
  return (
    <ul className={styles.warnings}>
      {bad.map((sentence) => (
        <li key={sentence} data-bad>
          {sentence}
        </li>
      ))}
      {warnings.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
