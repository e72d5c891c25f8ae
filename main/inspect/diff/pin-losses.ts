import type { LossEntry } from '../../convert/loss.ts'
import { isWithin, valueAt } from './json-path.ts'
import { type Change, structuralDiff } from './structural-diff.ts'

/** A difference, and the loss that explains it. */
export interface ExplainedChange extends Change {
  loss: LossEntry | null
}

/** A loss, and whether something stands at its path. */
export interface PlacedLoss extends LossEntry {
  isPlaced: boolean
}

export interface ExplainedDiff {
  changes: ExplainedChange[]
  losses: PlacedLoss[]
}

/** The loss of this very path, or of the nearest node around it. */
function lossOf({ path, kind }: Change, losses: readonly LossEntry[]): LossEntry | null {
  // The path of something added is one of the other value.
  if (kind === 'added') return null
  const around = losses.filter((loss) => isWithin(path, loss.path))
  return around.sort((one, other) => other.path.length - one.path.length)[0] ?? null
}

/**
 * The differences between two bodies, each with the loss that explains it. A loss within something that changed as a
 * whole is a change of its own beside it, so that each stands at its path.
 */
export function pinLosses(from: unknown, to: unknown, losses: readonly LossEntry[]): ExplainedDiff {
  const placed = losses.map((loss) => ({ ...loss, value: valueAt(from, loss.path) }))
  const found = placed.filter(({ value }) => value !== undefined)
  const changes = structuralDiff(from, to).map(
    (change): ExplainedChange => ({ ...change, loss: lossOf(change, found) }),
  )
  for (const { value, ...loss } of found) {
    if (changes.some((change) => change.loss?.path === loss.path)) continue
    const kind = loss.kind === 'dropped' ? 'removed' : 'changed'
    changes.push({ path: loss.path, kind, from: value, to: undefined, loss })
  }
  const bare = ({ value: _, ...loss }: (typeof placed)[number]) => loss
  return {
    changes,
    losses: placed.map((loss) => ({ ...bare(loss), isPlaced: loss.value !== undefined })),
  }
}
