import type { options } from '../../../i18n/english/options.ts'

type OptionText = keyof typeof options

export interface OptionEntry {
  /** The option's name in the API. */
  key: string
  kind:
    | 'switch'
    | 'number'
    | 'decimal'
    | 'text'
    | 'long-text'
    | 'list'
    | 'number-list'
    | 'choice'
    | 'json'
    | 'secret'
  label: OptionText
  hint?: OptionText
  unit?: OptionText
  /** Values of a `choice`. */
  choices?: readonly string[]
}

export interface OptionArea {
  name: OptionText
  entries: readonly OptionEntry[]
}
