import { NumberInput, Switch, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OptionEntry } from './option-entries.ts'

interface OptionControlProps {
  entry: OptionEntry
  id: string
  /** As the wire has it: text, or JSON of a number, boolean or list. */
  value: string
  refused: boolean
  onChange: (value: string) => void
}

/** The control that fits a setting's kind. */
export function OptionControl({ entry, id, value, refused, onChange }: OptionControlProps) {
  const { t } = useTranslation()
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
      return (
        <NumberInput
          id={id}
          value={value}
          error={refused}
          min={0}
          allowNegative={false}
          allowDecimal={false}
          suffix={entry.unit && t(`settings.${entry.unit}`)}
          onChange={(next) => onChange(String(next))}
        />
      )
    case 'text':
      return (
        <TextInput
          id={id}
          value={value}
          error={refused}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'list':
      return (
        <TagsInput
          id={id}
          value={readList(value)}
          error={refused}
          acceptValueOnBlur
          onChange={(next) => onChange(JSON.stringify(next))}
        />
      )
  }
}

function readList(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}
