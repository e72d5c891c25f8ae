import { fieldReason } from './chinese/field-reasons.ts'
import { failureHeads } from './chinese/sentences/failure-heads.ts'
import { sentences } from './chinese/sentences/sentences.ts'

/** What a sentence says, by code with the values in it; a value may be another. */
interface Coded {
  code: string
}

/** A sentence of the gateway, by code with the values in it where it gives them. */
export interface GatewaySentence {
  /** In English, or a vendor’s own. */
  message: string
  reason?: Coded | string | null | undefined
  /** The field that it is about, which it names where no form gives it a label. */
  field?: string | undefined
}

const chinese: Readonly<Record<string, string>> = { ...sentences, ...fieldReason }

/** The sentence in the language; the gateway’s own where the language has none. */
export function sentenceOf({ message, reason, field }: GatewaySentence, language: string): string {
  const text = language === 'zh' && isCoded(reason) ? chineseOf(reason, field) : undefined
  return text ?? message
}

function chineseOf(reason: Coded, field?: string): string | undefined {
  const values: Readonly<Record<string, unknown>> = { label: `“${field}”`, ...localReason(reason) }
  return chinese[reason.code]?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name]))
}

const isCoded = (value: unknown): value is Coded =>
  typeof value === 'object' && value !== null && 'code' in value

const shown = (value: unknown): string => {
  if (isCoded(value)) return chineseOf(value) ?? '–'
  return typeof value === 'number' ? value.toLocaleString('zh') : String(value ?? '–')
}

/** A reason whose problem in English gives way to the same by code. */
function localReason<Given extends Coded>(reason: Given): Given {
  if (!('why' in reason && 'problem' in reason)) return reason
  return { ...reason, problem: shown(reason.why) }
}

/** The reason with all that it holds in the language, for a sentence that a form makes of it. */
export const reasonIn = <Given extends Coded | undefined>(
  reason: Given,
  language: string,
): Given => (language === 'zh' && reason ? localReason(reason) : reason)

/** A failure’s message in English, or a vendor’s own, behind its kind in the language; the message alone in English. */
export function failureText(code: string | null, message: string, language: string): string {
  const head = language === 'zh' && code !== null ? failureHeads[code] : undefined
  if (head === undefined || code === 'unreachable') return head ?? message
  return `${head}：${message}`
}
