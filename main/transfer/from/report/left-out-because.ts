import type { LeftOut } from '../../transfer.ts'
import { type Reason, reasonTexts, type Subject, subjectTexts } from './left-out-texts.ts'

const LONGEST_NAME = 200

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')

/** A line of the report, in English and by its codes. */
export function leftOutBecause(subject: Subject, reason: Reason): LeftOut {
  const [code, params] = typeof reason === 'string' ? [reason, {}] : reason
  const isName = typeof subject === 'string'
  const of = (isName ? subject : (subject[1] ?? '')).slice(0, LONGEST_NAME)
  return {
    name: isName ? of : filled(subjectTexts[subject[0]], { of }),
    reason: filled(reasonTexts[code], params),
    coded: { subject: isName ? null : subject[0], of, reason: code, params },
  }
}
