import type { CallFailure } from '../../gateway/call-failure.ts'

export interface SplitFailure<Field extends string> {
  /** The server's message by field. */
  at: Partial<Record<Field, string>>
  /** The failure when it names no field of the form; shown beside the button. */
  rest: CallFailure | null
}

/** `base_url` and `channel.base_url` both name the field `base_url`. */
export function splitFailure<Field extends string>(
  failure: CallFailure | null,
  fields: readonly Field[],
): SplitFailure<Field> {
  const named = failure?.field
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '')
  const field = fields.find((candidate) => candidate === named)
  if (!failure || !field) return { at: {}, rest: failure }
  return { at: { [field]: failure.message } as Partial<Record<Field, string>>, rest: null }
}
