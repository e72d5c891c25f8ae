import type { GatewaySentence } from '../../i18n/sentence-of.ts'

/** A field that a conversion left out or changed. */
export interface LossFacts {
  path: string
  kind: 'dropped' | 'approximated'
  /** In English; empty where older rows have none. */
  note: string
  /** The note by code and values, where the row has it. */
  reason?: GatewaySentence['reason']
}

/** The note of a loss, as the gateway’s sentence. */
export const lossNote = ({ note, reason }: Omit<LossFacts, 'path'>): GatewaySentence => ({
  message: note,
  reason,
})

/** The code and values of a sentence in a row of the log; null where it has none. */
export const readReason = (reason: unknown): GatewaySentence['reason'] =>
  typeof reason === 'object' && typeof (reason as { code?: unknown } | null)?.code === 'string'
    ? (reason as { code: string })
    : null

export function readLosses(losses: unknown): LossFacts[] {
  if (!Array.isArray(losses)) return []
  return losses.map((loss: Partial<Record<keyof LossFacts, unknown>> | null) => ({
    path: String(loss?.path ?? ''),
    kind: loss?.kind === 'approximated' ? 'approximated' : 'dropped',
    note: typeof loss?.note === 'string' ? loss.note : '',
    reason: readReason(loss?.reason),
  }))
}
