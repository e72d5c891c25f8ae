import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Autocomplete, Select } from '../../../components/forms/option-lists.tsx'
import type { RouteChoices } from '../use-route-choices.ts'
import { withoutRow, withRow, withRowMoved } from './change-rows.ts'
import { MovableRow } from './movable-row.tsx'
import { newTarget, type TargetDraft } from './route-draft.ts'
import { mostTargets, mostWeight, type RouteErrors } from './route-fields.ts'
import styles from './route-form.module.css'
import { RowButtons } from './row-buttons.tsx'

interface TargetListProps {
  targets: readonly TargetDraft[]
  choices: RouteChoices
  /** Path of the list in the API, such as `rules[0].targets`. */
  path: string
  at: RouteErrors['at']
  onChange: (targets: TargetDraft[]) => void
}

export function TargetList({ targets, choices, path, at, onChange }: TargetListProps) {
  const { t } = useTranslation()
  return (
    <>
      <ol className={styles.rows} tabIndex={-1}>
        {targets.map((target, index) => {
          const row = {
            name: t('routes.target', { number: index + 1 }),
            isFirst: index === 0,
            isLast: index === targets.length - 1,
            onMove: (step: number) => onChange(withRowMoved(targets, index, step)),
          }
          return (
            <MovableRow key={target.key} {...row}>
              <TargetFields
                target={target}
                choices={choices}
                at={(field) => at(`${path}[${index}].${field}`)}
                onChange={(fields) => onChange(withRow(targets, index, fields))}
              >
                <RowButtons
                  {...row}
                  onRemove={
                    targets.length > 1 ? () => onChange(withoutRow(targets, index)) : undefined
                  }
                />
              </TargetFields>
            </MovableRow>
          )
        })}
      </ol>
      {targets.length < mostTargets && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => onChange([...targets, newTarget()])}
        >
          {t('routes.addTarget')}
        </Button>
      )}
    </>
  )
}

interface TargetFieldsProps {
  target: TargetDraft
  choices: RouteChoices
  at: RouteErrors['at']
  onChange: (fields: Partial<TargetDraft>) => void
  /** Beside the model. */
  children: ReactNode
}

function TargetFields({ target, choices, at, onChange, children }: TargetFieldsProps) {
  const { t } = useTranslation()
  const { model, channelId, tag, weight } = target
  const isKnown = channelId === null || choices.channels.some(({ id }) => id === channelId)
  const channels = choices.channels.map(({ id, name, isEnabled }) => ({
    ...{ value: String(id), label: name, disabled: !isEnabled },
  }))
  return (
    <>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Autocomplete
          flex={1}
          miw={0}
          size="xs"
          label={t('routes.model')}
          data={[...choices.modelsOf(channelId)]}
          limit={50}
          value={model}
          error={at('model')}
          onChange={(value) => onChange({ model: value })}
        />
        <div className={styles.besideField}>{children}</div>
      </Group>
      <div className={styles.limits}>
        <Select
          label={t('routes.channel')}
          placeholder={t('routes.anyChannel')}
          // A channel that is gone is still the target's.
          data={
            isKnown
              ? channels
              : [...channels, { value: String(channelId), label: choices.nameOf(channelId) }]
          }
          clearable
          clearButtonProps={{ 'aria-label': t('routes.clearChannel') }}
          searchable
          value={channelId === null ? null : String(channelId)}
          error={at('channel_id')}
          onChange={(id) => onChange({ channelId: id === null ? null : Number(id) })}
        />
        <Autocomplete
          size="xs"
          label={t('routes.tag')}
          placeholder={t('routes.anyTag')}
          data={[...choices.tags]}
          limit={50}
          value={tag}
          error={at('tag')}
          onChange={(value) => onChange({ tag: value })}
        />
        <NumberField
          label={t('routes.weight')}
          min={0}
          max={mostWeight}
          whole
          value={weight}
          error={at('weight')}
          onChange={(value) => onChange({ weight: value })}
        />
      </div>
    </>
  )
}
