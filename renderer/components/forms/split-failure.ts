import type { CallFailure } from '../../gateway/call-failure.ts'

export interface SplitFailure<Field extends string> {
  /** The server's sentence for each field of the form, where it named one. */
  at: Partial<Record<Field, string>>
  /** The failure itself when it belongs to no field shown; it then stands beside the button. */
  rest: CallFailure | null
}

/** Puts a refusal where it belongs: `base_url` and `channel.base_url` both mean the field base_url. */
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
