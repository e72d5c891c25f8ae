import type { TFunction } from 'i18next'
import { type Shortcut, type ShortcutArea, shortcuts } from './shortcuts.ts'

/** The compiler asks the dictionary for a text of every shortcut. */
type ShortcutText = { [Area in ShortcutArea]: `${Area}_${Shortcut<Area>}` }[ShortcutArea]

interface ShortcutLine {
  name: string
  text: string
  keys: readonly string[]
}

/** What each shortcut of an area does, in the reader’s language. */
export function shortcutTexts(t: TFunction, area: ShortcutArea): ShortcutLine[] {
  return Object.entries(shortcuts[area]).map(([name, keys]) => ({
    ...{ name, keys },
    text: t(`shortcuts.${`${area}_${name}` as ShortcutText}`),
  }))
}
