import type { options } from '../../../i18n/english/settings/options.ts'

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
  /** It matters only where the gateway serves more people than its owner. */
  isForSharing?: true
}

export interface OptionArea {
  name: OptionText
  entries: readonly OptionEntry[]
}

/** The areas with the options that `isWanted` accepts, those without any left out. */
export function narrowAreas(
  areas: readonly OptionArea[],
  isWanted: (entry: OptionEntry) => boolean,
): readonly OptionArea[] {
  return areas
    .map((area) => ({ ...area, entries: area.entries.filter(isWanted) }))
    .filter(({ entries }) => entries.length > 0)
}
