/** What a conversion left out, or put into other words. */
export interface LossFacts {
  path: string
  kind: 'dropped' | 'approximated'
  /** In English; empty where older rows have none. */
  note: string
}

/** In English: `dropped seed: why`. */
export const lossLine = ({ kind, path, note }: LossFacts): string =>
  [`${kind} ${path}`, note].filter(Boolean).join(': ')

export function readLosses(losses: unknown): LossFacts[] {
  if (!Array.isArray(losses)) return []
  return losses.map((loss: { path?: unknown; kind?: unknown; note?: unknown } | null) => ({
    path: String(loss?.path ?? ''),
    kind: loss?.kind === 'approximated' ? 'approximated' : 'dropped',
    note: typeof loss?.note === 'string' ? loss.note : '',
  }))
}
