import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type JsonFault, jsonFault, lineOf } from './json-places.ts'
import { useFaultSentence } from './use-fault-sentence.ts'

interface JsonFieldProps {
  label: string
  hint?: string
  /** The text as typed; empty for none. */
  value: string
  /** The server's message. */
  error?: string | undefined
  onChange: (value: string) => void
}

/** Null when the text is empty or a JSON object. */
export const jsonObjectProblem = (text: string): JsonFault | null =>
  text.trim() === '' ? null : jsonFault(text)

/** Checks the text while it is typed. */
export function JsonField({ label, hint, value, error, onChange }: JsonFieldProps) {
  const { t } = useTranslation()
  const sayFault = useFaultSentence()
  const problem = jsonObjectProblem(value)
  const sentenceOf = (fault: JsonFault): string => {
    const sentence = sayFault(fault)
    if (fault.kind === 'not-object') return sentence
    const place = t('common.jsonPlace', { ...lineOf(value, fault.offset) })
    return t('common.jsonFault', { place, sentence })
  }
  const sentence = problem && sentenceOf(problem)
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      value={value}
      error={sentence ?? error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
