import { SimpleGrid, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { NumberField } from '../../../../components/forms/number-field.tsx'
import { Select } from '../../../../components/forms/option-lists.tsx'
import { numberOrNothing } from '../../run/optional-fields.ts'
import {
  type ColumnSettings,
  type NumberParameter,
  numberParameters,
  verbosities,
} from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import { type KnownParameters, useKnownParameters } from './use-known-parameters.ts'

interface Range {
  min?: number
  max?: number
  step?: number
  whole?: boolean
}

function rangeOf(name: NumberParameter, known: KnownParameters | undefined): Range {
  switch (name) {
    case 'temperature':
      return { min: 0, max: known?.temperature ?? 2, step: 0.1 }
    case 'top_p':
      return { min: 0, max: 1, step: 0.05 }
    case 'top_k':
      return { min: 1, whole: true }
    case 'max_tokens':
      return { min: 1, whole: true, ...(known?.max_tokens ? { max: known.max_tokens } : {}) }
    case 'seed':
      return { whole: true }
    case 'frequency_penalty':
    case 'presence_penalty':
      return { min: -2, max: 2, step: 0.1 }
  }
}

/** Until the model's own are known all are offered. */
function takes(name: NumberParameter, known: KnownParameters | undefined): boolean {
  if (!known) return name === 'temperature' || name === 'max_tokens'
  switch (name) {
    case 'temperature':
      return known.temperature !== null
    case 'frequency_penalty':
    case 'presence_penalty':
      return known.penalties
    case 'max_tokens':
      return true
    default:
      return known[name]
  }
}

/** The parameters that the model takes where its channel sends it; one that was set before stays to be cleared. */
export function ParameterFields({
  column: key,
  settings,
}: {
  column: string
  settings: ColumnSettings
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const desk = useDesk()
  const { numbers, stop, effort, verbosity, budget } = settings
  const known = useKnownParameters(settings)
  const shown = numberParameters.filter((name) => takes(name, known) || numbers[name] !== undefined)
  const set = (name: NumberParameter, value: number | '') => {
    const { [name]: _, ...others } = numbers
    desk.configure(key, { numbers: value === '' ? others : { ...others, [name]: value } })
  }
  const efforts = known?.efforts ?? []
  return (
    <>
      {/* A label that takes two lines leaves its field beside the next one's. */}
      <SimpleGrid cols={2} spacing={8} verticalSpacing="sm" style={{ alignItems: 'end' }}>
        {shown.map((name) => {
          const { whole, ...range } = rangeOf(name, known)
          return (
            <NumberField
              key={name}
              label={t(`chat.parameter_${name}`)}
              placeholder={
                name === 'max_tokens' && known?.max_tokens
                  ? t('chat.atMost', {
                      count: known.max_tokens,
                      most: format.count(known.max_tokens),
                    })
                  : t('playground.notSent')
              }
              {...range}
              whole={whole === true}
              value={numbers[name] ?? ''}
              onChange={(value) => set(name, numberOrNothing(value))}
            />
          )
        })}
        {(known?.budget || budget !== null) && (
          <NumberField
            label={t('chat.budget')}
            placeholder={t('playground.notSent')}
            min={known?.budget?.least ?? 1}
            {...(known?.budget ? { max: known.budget.most } : {})}
            whole
            value={budget ?? ''}
            onChange={(value) => desk.configure(key, { budget: numberOrNothing(value) || null })}
          />
        )}
      </SimpleGrid>
      {(efforts.length > 0 || effort !== '') && (
        <Select
          label={t('chat.effort')}
          placeholder={t('playground.notSent')}
          clearable
          clearButtonProps={{ 'aria-label': t('chat.clearEffort') }}
          data={[...new Set([...efforts, ...(effort === '' ? [] : [effort])])]}
          value={effort || null}
          onChange={(value) => desk.configure(key, { effort: value ?? '' })}
        />
      )}
      {(known?.verbosity || verbosity !== '') && (
        <Select
          label={t('chat.verbosity')}
          placeholder={t('playground.notSent')}
          clearable
          clearButtonProps={{ 'aria-label': t('chat.clearVerbosity') }}
          data={verbosities}
          value={verbosity || null}
          onChange={(value) => desk.configure(key, { verbosity: value ?? '' })}
        />
      )}
      {(known?.stop !== 0 || stop !== '') && (
        <Textarea
          label={t('chat.stop')}
          description={t('chat.stopHelp')}
          autosize
          minRows={1}
          maxRows={4}
          value={stop}
          onChange={(event) => desk.configure(key, { stop: event.currentTarget.value })}
        />
      )}
    </>
  )
}
