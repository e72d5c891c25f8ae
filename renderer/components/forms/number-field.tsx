import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readNumber, writeNumber } from './read-number.ts'

interface NumberFieldProps
  extends Omit<
    TextInputProps,
    'value' | 'defaultValue' | 'onChange' | 'prefix' | 'min' | 'max' | 'step'
  > {
  value: number | string
  /** The number; what is typed where it is none; empty for an empty field. */
  onChange: (value: number | string) => void
  min?: number | undefined
  max?: number | undefined
  /** What ↑ and ↓ add. */
  step?: number
  whole?: boolean
  /** With commas between thousands. */
  grouped?: boolean
  prefix?: string
  suffix?: string | undefined
}

/**
 * A field for a number. It keeps what is typed and says why it won't do, instead of dropping a minus, a point or a
 * letter: `-5` would become 5, and `1.5` 15. Its form isn't sent meanwhile.
 */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, min, max, step = 1, whole, grouped, prefix, suffix, ...field } = props
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  /** Null: the field shows its value. */
  const [typed, setTyped] = useState<string | null>(null)
  /** A problem is told once the field is left, not while the rest of the number is still being typed. */
  const [isTold, setTold] = useState(false)
  const isOwn = useRef(false)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Something else set it, such as a button that resets the form.
    if (!isOwn.current) setTyped(null)
  }

  const read = (text: string) => readNumber(text, { prefix, suffix })
  const problem = typed === null || typed.trim() === '' ? null : problemOf(read(typed))
  useEffect(() => {
    isOwn.current = false
    input.current?.setCustomValidity(problem ?? '')
  })

  function problemOf(number: number | null): string | null {
    if (number === null) return t('numberField.notANumber')
    if (whole && !Number.isInteger(number)) return t('numberField.whole')
    const isOut = (min !== undefined && number < min) || (max !== undefined && number > max)
    if (!isOut) return null
    const [least, most] = [min ?? '', max ?? ''].map((limit) => writeNumber(limit, true))
    if (max === undefined) return t('numberField.from', { least })
    return min === undefined
      ? t('numberField.upTo', { most })
      : t('numberField.between', { least, most })
  }

  const set = (text: string) => {
    isOwn.current = true
    setTyped(text)
    onChange(text.trim() === '' ? '' : (read(text) ?? text))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    field.onKeyDown?.(event)
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const from = read(event.currentTarget.value)
    const next = from === null ? (min ?? 0) : from + (event.key === 'ArrowUp' ? step : -step)
    const within = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, next))
    set(writeNumber(Number(within.toFixed(10)), grouped))
  }
  const shown = writeNumber(value, grouped)
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...field}
      ref={input}
      error={(isTold && problem) || field.error}
      value={typed ?? (shown === '' ? '' : `${prefix ?? ''}${shown}${suffix ?? ''}`)}
      onChange={(event: ChangeEvent<HTMLInputElement>) => set(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        field.onBlur?.(event)
        setTold(true)
        if (problem === null) setTyped(null)
      }}
      onFocus={(event) => {
        field.onFocus?.(event)
        if (problem === null) setTold(false)
      }}
      // The problem stands below the field; the browser would tell it once more.
      onInvalid={(event) => {
        event.preventDefault()
        setTold(true)
        if (!document.activeElement?.matches('input:invalid')) event.currentTarget.focus()
      }}
    />
  )
}
