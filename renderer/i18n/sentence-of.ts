import type { i18n } from 'i18next'

/** A sentence as its code with its values; a value may be another sentence. */
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

type Texts = Readonly<Record<string, string | undefined>>

const textsOf = (translation: i18n, kind: 'sentences' | 'failureHeads'): Texts =>
  translation.getResourceBundle(translation.language, kind) ?? {}

/** The sentence in the language of the console; the gateway’s own where the language has none. */
export function sentenceOf({ message, reason, field }: GatewaySentence, translation: i18n): string {
  const texts = textsOf(translation, 'sentences')
  return (isCoded(reason) && textOf(reason, texts, field)) || message
}

function textOf(reason: Coded, texts: Texts, field?: string): string | undefined {
  const values: Readonly<Record<string, unknown>> = {
    label: `“${field}”`,
    ...waitOf(reason),
    ...withLocalProblem(reason, texts),
  }
  return texts[reason.code]?.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    numbered.has(name) ? String(values[name] ?? '–') : shown(values[name], texts),
  )
}

/** `seconds` as a person says them: from two minutes on in minutes. */
function waitOf(reason: Coded): { wait?: Coded } {
  const seconds = 'seconds' in reason ? Number(reason.seconds) : Number.NaN
  if (Number.isNaN(seconds) || reason.code.startsWith('wait_')) return {}
  const minutes = Math.ceil(seconds / 60)
  const inMinutes = { code: 'wait_minutes', minutes }
  return { wait: seconds < 120 ? { code: 'wait_seconds', ...{ seconds } } : inMinutes }
}

/** Values that are names, though they are written in digits: no separator stands in them. */
const numbered = new Set(['id', 'channel', 'status', 'port', 'type'])

const isCoded = (value: unknown): value is Coded =>
  typeof value === 'object' && value !== null && 'code' in value

const shown = (value: unknown, texts: Texts): string => {
  if (Array.isArray(value)) return value.map((one) => shown(one, texts)).join('、')
  if (isCoded(value)) return textOf(value, texts) ?? '–'
  return typeof value === 'number' ? value.toLocaleString('zh') : String(value ?? '–')
}

/** A reason whose problem in English gives way to the same by code. */
function withLocalProblem<Given extends Coded>(reason: Given, texts: Texts): Given {
  if (!('why' in reason && 'problem' in reason)) return reason
  return { ...reason, problem: shown(reason.why, texts) }
}

/** The reason with all that it holds in the language, for a sentence that a form makes of it. */
export function reasonIn<Given extends Coded | undefined>(reason: Given, translation: i18n): Given {
  const texts = textsOf(translation, 'sentences')
  return reason && Object.keys(texts).length > 0 ? withLocalProblem(reason, texts) : reason
}

/** A failure’s message in English, or a vendor’s own, behind its kind in the language; the message alone in English. */
export function failureText(code: string | null, message: string, translation: i18n): string {
  const head = code === null ? undefined : textsOf(translation, 'failureHeads')[code]
  if (head === undefined || code === 'unreachable') return head ?? message
  return `${head}：${message}`
}
