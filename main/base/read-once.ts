/** Reads each object once, and keeps the result as long as the object lives; a new `version` discards all results. */
export function readOnce<Source extends object, Kept>(
  read: (source: Source) => Kept,
  version: () => unknown = () => null,
): (source: Source) => Kept {
  let seen = version()
  let known = new WeakMap<Source, { kept: Kept }>()
  return (source) => {
    const now = version()
    if (now !== seen) {
      seen = now
      known = new WeakMap()
    }
    let found = known.get(source)
    if (!found) {
      found = { kept: read(source) }
      known.set(source, found)
    }
    return found.kept
  }
}
