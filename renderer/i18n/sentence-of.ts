import { failureHeads } from './chinese/sentences/failure-heads.ts'
import { sentences } from './chinese/sentences/sentences.ts'

/** A sentence of the gateway, by code with the values in it where it gives them. */
export interface GatewaySentence {
  /** In English, or a vendor’s own. */
  message: string
  reason?: { code: string } | null | undefined
}

const chinese: Readonly<Record<string, string>> = sentences

/** The sentence in the language; the gateway’s own where the language has none. */
export function sentenceOf({ message, reason }: GatewaySentence, language: string): string {
  const text = language === 'zh' && reason ? chinese[reason.code] : undefined
  if (text === undefined) return message
  const values: Readonly<Record<string, unknown>> = { ...reason }
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name]))
}

const shown = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('zh') : String(value ?? '–')

/** A failure’s message in English, or a vendor’s own, behind its kind in the language; the message alone in English. */
export function failureText(code: string | null, message: string, language: string): string {
  const head = language === 'zh' && code !== null ? failureHeads[code] : undefined
  if (head === undefined || code === 'unreachable') return head ?? message
  return `${head}：${message}`
}
