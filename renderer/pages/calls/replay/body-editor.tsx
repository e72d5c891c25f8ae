import { Button, Group, Text } from '@mantine/core'
import { type UIEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { jsonFault, lineOf, placeOfPath } from '../../../components/forms/json-places.ts'
import { useFaultSentence } from '../../../components/forms/use-fault-sentence.ts'
import styles from './replay.module.css'
import type { ReplayFailure } from './replay-answer.ts'

interface BodyEditorProps {
  label: string
  value: string
  /** As it was captured. */
  original: string
  /** The gateway's refusal of the last Send. */
  failure: ReplayFailure | null
  onChange: (value: string) => void
}

interface Problem {
  message: string
  /** Index of the text; null where it has no place in it. */
  offset: number | null
}

/** A body as JSON, with line numbers, and with a problem at its line. */
export function BodyEditor({ label, value, original, failure, onChange }: BodyEditorProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const [scrolled, setScrolled] = useState(0)
  const id = useId()
  const problem = useProblem(value, failure)
  const place = problem && problem.offset !== null ? lineOf(value, problem.offset) : null
  const lines = useMemo(() => {
    const count = value.split('\n').length
    return Array.from({ length: count }, (_, index) => index + 1).join('\n')
  }, [value])

  const goToLine = () => {
    const { current } = field
    if (!current || !problem || problem.offset === null || !place) return
    const start = problem.offset - place.column + 1
    const end = value.indexOf('\n', start)
    current.focus()
    current.setSelectionRange(start, end < 0 ? value.length : end)
    // Line height of the style sheet; two lines of what stands before.
    current.scrollTop = Math.max(0, (place.line - 3) * 18)
  }

  return (
    <div>
      <Group justify="space-between" gap={6} mb={4}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {value !== original && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => onChange(original)}
          >
            {t('replay.restore')}
          </Button>
        )}
      </Group>
      <div className={styles.editor} data-invalid={problem !== null || undefined}>
        <div className={styles.gutter} aria-hidden>
          <pre style={{ transform: `translateY(${-scrolled}px)` }}>{lines}</pre>
          {place && (
            <span
              className={styles.marker}
              style={{ transform: `translateY(${(place.line - 1) * 18 - scrolled}px)` }}
            />
          )}
        </div>
        <textarea
          id={id}
          ref={field}
          className={styles.body}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={value}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event: UIEvent<HTMLTextAreaElement>) =>
            setScrolled(event.currentTarget.scrollTop)
          }
        />
      </div>
      <div id={`${id}-problem`} role="status" className={styles.problem}>
        {problem && (
          <Group gap={6} align="baseline">
            <Text span fz={12} style={{ overflowWrap: 'anywhere' }}>
              {place && `${t('common.jsonPlace', place)} `}
              {problem.message}
            </Text>
            {place && (
              <Button variant="default" size="compact-xs" onClick={goToLine}>
                {t('replay.goToLine', { line: place.line })}
              </Button>
            )}
          </Group>
        )}
      </div>
    </div>
  )
}

/** A text that is no JSON comes first: the last refusal was of another text. */
function useProblem(value: string, failure: ReplayFailure | null): Problem | null {
  const sayFault = useFaultSentence()
  const fault = useMemo(() => jsonFault(value), [value])
  return useMemo(() => {
    if (fault) {
      const { kind, offset } = fault
      return { message: sayFault(fault), offset: kind === 'not-object' ? null : offset }
    }
    if (!failure?.field || failure.field === 'capture' || failure.field === 'channel') return null
    return { message: failure.message, offset: placeOfPath(value, failure.field) }
  }, [fault, failure, value, sayFault])
}
