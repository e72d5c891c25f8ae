import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useTextLimit } from '../../../components/forms/use-text-limit.ts'
import type { RouteChoices } from '../use-route-choices.ts'
import { withoutRow, withRow, withRowMoved } from './change-rows.ts'
import { ConditionList } from './condition-list.tsx'
import { MovableRow } from './movable-row.tsx'
import { newRule, type RuleDraft } from './route-draft.ts'
import { hintBelow, longestRuleName, mostRules, type RouteErrors } from './route-fields.ts'
import styles from './route-form.module.css'
import { RowButtons } from './row-buttons.tsx'
import { TargetList } from './target-list.tsx'

interface RuleListProps {
  rules: readonly RuleDraft[]
  choices: RouteChoices
  at: RouteErrors['at']
  onChange: (rules: RuleDraft[]) => void
}

export function RuleList({ rules, choices, at, onChange }: RuleListProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  return (
    <>
      <ol className={styles.rows} aria-label={t('routes.rules')} tabIndex={-1}>
        {rules.map((rule, index) => {
          const row = {
            name: t('routes.rule', { number: index + 1 }),
            isFirst: index === 0,
            isLast: index === rules.length - 1,
            onMove: (step: number) => onChange(withRowMoved(rules, index, step)),
          }
          const path = `rules[${index}]`
          const change = (fields: Partial<RuleDraft>) => onChange(withRow(rules, index, fields))
          return (
            <MovableRow key={rule.key} {...row}>
              <Group gap={6} wrap="nowrap" align="flex-start">
                <TextInput
                  flex={1}
                  miw={0}
                  label={t('routes.ruleName')}
                  inputWrapperOrder={hintBelow}
                  value={rule.name}
                  {...limited(rule.name, longestRuleName, { error: at(`${path}.name`) })}
                  onChange={(event) => change({ name: event.currentTarget.value })}
                />
                <div className={styles.besideField}>
                  <RowButtons {...row} onRemove={() => onChange(withoutRow(rules, index))} />
                </div>
              </Group>
              <h4 className={styles.subheading}>{t('routes.conditions')}</h4>
              <ConditionList
                when={rule.when}
                path={`${path}.when`}
                at={at}
                onChange={(when) => change({ when })}
              />
              <h4 className={styles.subheading}>{t('routes.ruleTargets')}</h4>
              <div>
                <TargetList
                  targets={rule.targets}
                  choices={choices}
                  path={`${path}.targets`}
                  at={at}
                  onChange={(targets) => change({ targets })}
                />
              </div>
            </MovableRow>
          )
        })}
      </ol>
      {rules.length < mostRules && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => onChange([...rules, newRule()])}
        >
          {t('routes.addRule')}
        </Button>
      )}
    </>
  )
}
