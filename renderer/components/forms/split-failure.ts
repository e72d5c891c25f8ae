import type { ParseKeys, TFunction } from 'i18next'
import type { CallFailure } from '../../gateway/call-failure.ts'
import type { fieldReason } from '../../i18n/english/field-reasons.ts'

/** The label of each field, as the form shows it, by the field's name in the API. */
export type FieldLabels<Field extends string = string> = Readonly<Record<Field, ParseKeys>>

export interface SplitFailure<Field extends string> {
  /** Error message by field. */
  at: Partial<Record<Field, string>>
  /** The failure when it names no field of the form; shown beside the button. */
  rest: CallFailure | null
}

/** `base_url` and `channel.base_url` both name the field `base_url`. */
export function splitFailure<Field extends string>(
  failure: CallFailure | null,
  labels: FieldLabels<Field>,
  t: TFunction,
): SplitFailure<Field> {
  const named = failure?.field
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '')
  const reason = failure?.reason
  // A reason may name a part of the field; some names have points themselves.
  const names = [reason && 'part' in reason ? reason.part : undefined, failure?.field, named]
  const field = names.find((one): one is Field => one !== undefined && Object.hasOwn(labels, one))
  if (!failure || !field) return { at: {}, rest: failure }
  const message = fieldMessage(failure, labels, field, t)
  return { at: { [field]: message } as Partial<Record<Field, string>>, rest: null }
}

/** With the fields' labels for their names; the gateway’s own sentence where it gives no reason. */
function fieldMessage<Field extends string>(
  { reason, message }: CallFailure,
  labels: FieldLabels<Field>,
  field: Field,
  t: TFunction,
): string {
  if (!reason) return message
  const { code, ...values } = reason
  const other = 'other' in values ? labels[values.other as Field] : undefined
  return t(`fieldReason.${code as keyof typeof fieldReason}`, {
    defaultValue: message,
    ...values,
    label: t(labels[field] as 'tokens.name'),
    ...(other && { other: t(other as 'tokens.name') }),
  })
}
