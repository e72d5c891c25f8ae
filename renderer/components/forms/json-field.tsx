import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

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
export function jsonObjectProblem(text: string): { reason: string | null } | null {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? null : { reason: null }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Checks the text while it is typed. */
export function JsonField({ label, hint, value, error, onChange }: JsonFieldProps) {
  const { t } = useTranslation()
  const problem = jsonObjectProblem(value)
  const sentence =
    problem &&
    (problem.reason === null
      ? t('common.jsonObject')
      : t('common.invalidJson', { reason: problem.reason }))
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
