import { refuse } from '../check/check-request.ts'

/** A form's text fields by name, as they came. */
type Fields = Readonly<Record<string, readonly string[]>>

/** A field that may stand in a form once; undefined where it does not, or is empty. */
export function onceIn(fields: Fields, name: string): string | undefined {
  const values = fields[name] ?? []
  if (values.length > 1) refuse(name, 'may_be_sent_once')
  return values[0] === '' ? undefined : values[0]
}

/** Requires a switch of a form, where it is sent, to be `true` or `false`; Python's clients write `True`. */
export function requireFormSwitch(fields: Fields, name: string): void {
  const value = onceIn(fields, name)
  if (value !== undefined && !/^(true|false)$/i.test(value)) {
    refuse(name, 'must_be_boolean')
  }
}

/** A number of a form; undefined where it is not sent. */
export function numberIn(fields: Fields, name: string): number | undefined {
  const value = onceIn(fields, name)
  if (value === undefined) return undefined
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : refuse(name, 'must_be_number')
}
