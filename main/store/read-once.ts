/** A reading of stored records that reads each but once: an unchanged record stays the same object. */
export function readOnce<Stored extends object, Kept>(
  read: (stored: Stored) => Kept,
): (stored: Stored) => Kept {
  const known = new WeakMap<Stored, Kept>()
  return (stored) => {
    let kept = known.get(stored)
    if (kept === undefined) {
      kept = read(stored)
      known.set(stored, kept)
    }
    return kept
  }
}
