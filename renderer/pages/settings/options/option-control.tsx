import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Select, TagsInput } from '../../../components/forms/option-lists.tsx'
import type { OptionEntry } from './option-entry.ts'

interface OptionControlProps {
  entry: OptionEntry
  id: string
  /** As in the API: text, or JSON of a number, boolean, list or object. */
  value: string
  /** For a secret: one is stored. */
  isSet: boolean
  refused: boolean
  onChange: (value: string) => void
}

export function OptionControl({ entry, id, value, isSet, refused, onChange }: OptionControlProps) {
  const { t } = useTranslation()
  const field = { id, value, error: refused }
  const onText = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value)
  switch (entry.kind) {
    case 'switch':
      return (
        <Switch
          id={id}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      )
    case 'number':
    case 'decimal':
      return (
        <NumberField
          {...field}
          min={0}
          grouped
          whole={entry.kind === 'number'}
          suffix={entry.unit && t(`options.${entry.unit}`)}
          onChange={(next) => onChange(String(next))}
        />
      )
    case 'text':
      return <TextInput {...field} onChange={onText} />
    case 'long-text':
      return <Textarea {...field} autosize minRows={2} maxRows={12} onChange={onText} />
    case 'json':
      return (
        <Textarea
          {...field}
          autosize
          minRows={2}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          onChange={onText}
        />
      )
    case 'secret':
      return (
        <PasswordInput
          {...field}
          autoComplete="off"
          placeholder={t(isSet ? 'options.isSet' : 'options.isNotSet')}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          onChange={onText}
        />
      )
    case 'choice':
      return (
        <Select
          {...field}
          data={[...(entry.choices ?? [])]}
          allowDeselect={false}
          onChange={(next) => next !== null && onChange(next)}
        />
      )
    case 'list':
      return (
        <TagsInput
          {...field}
          value={readList(value)}
          acceptValueOnBlur
          onChange={(next) => onChange(JSON.stringify(next))}
        />
      )
    case 'number-list':
      return (
        <TagsInput
          {...field}
          value={readList(value)}
          acceptValueOnBlur
          onChange={(next) => onChange(JSON.stringify(next.map(numberOr)))}
        />
      )
  }
}

/** Anything that isn't a number stays as typed; the gateway refuses it. */
const numberOr = (typed: string): number | string =>
  Number.isFinite(Number(typed)) ? Number(typed) : typed

function readList(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}
