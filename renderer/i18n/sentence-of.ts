import type { i18n } from 'i18next'

/** A sentence of the gateway, by code with the values in it where it gives them. */
export interface GatewaySentence {
  /** In English, or a vendor’s own. */
  message: string
  reason?: { code: string } | null | undefined
}

/** The sentence in the language of the console; the gateway’s own where the language has none. */
export function sentenceOf({ message, reason }: GatewaySentence, translation: i18n): string {
  const text = reason ? textsOf(translation, 'sentences')[reason.code] : undefined
  if (text === undefined) return message
  const values: Readonly<Record<string, unknown>> = { ...reason }
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name]))
}

const shown = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('zh') : String(value ?? '–')

const textsOf = (
  translation: i18n,
  kind: 'sentences' | 'failureHeads',
): Readonly<Record<string, string | undefined>> =>
  translation.getResourceBundle(translation.language, kind) ?? {}

/** A failure’s message in English, or a vendor’s own, behind its kind in the language; the message alone in English. */
export function failureText(code: string | null, message: string, translation: i18n): string {
  const head = code === null ? undefined : textsOf(translation, 'failureHeads')[code]
  if (head === undefined || code === 'unreachable') return head ?? message
  return `${head}：${message}`
}
