import { withinPowershell } from '../../../components/format/shell-word.ts'
import type { ConnectTool } from '../../../gateway/records.ts'
import { ADDRESS_MARK, MODEL_MARK, TOKEN_MARK } from './marks.ts'

type Shell = ConnectTool['snippets'][number]['shell']

/** What a person has chosen; null: nothing yet. */
export interface Chosen {
  key: string | null
  model: string | null
}

const afterBash = (name: string): string => name.replaceAll("'", `'\\''`)

/** Names that mean the same with and without quotes in JSON, TOML and YAML. */
const PLAIN = /^[\w@%+=:,./~()[\] -]+$/

/**
 * A model's name for the quotes that stand around its mark: vendors choose these names. In a file one with signs of its
 * own is left to be typed.
 */
const withinQuotes: Readonly<Record<Shell, (name: string) => string>> = {
  bash: afterBash,
  zsh: afterBash,
  fish: (name) => name.replaceAll(/['\\]/g, '\\$&'),
  powershell: withinPowershell,
  file: (name) => (PLAIN.test(name) ? name : MODEL_MARK),
}

/** A step to read, with what was chosen. */
export const fillStep = (text: string, { key, model }: Chosen): string =>
  text
    .replaceAll(ADDRESS_MARK, () => window.location.origin)
    .replaceAll(TOKEN_MARK, () => key ?? TOKEN_MARK)
    .replaceAll(MODEL_MARK, () => model ?? MODEL_MARK)

/** A text to paste into a shell or a file, with what was chosen. */
export function fillSnippet(text: string, shell: Shell, { key, model }: Chosen): string {
  return fillStep(text, { key, model: model === null ? null : withinQuotes[shell](model) })
}
