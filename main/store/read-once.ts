import type { SecretBox } from './secret-key/secret-box.ts'

/**
 * A reading of stored records that reads each but once: an unchanged record stays the same object, until another
 * key opens what is sealed in it.
 */
export function readOnce<Stored extends object, Kept>(
  box: Pick<SecretBox, 'version'>,
  read: (stored: Stored) => Kept,
): (stored: Stored) => Kept {
  let { version } = box
  let known = new WeakMap<Stored, Kept>()
  return (stored) => {
    // A key that is there stays the same to the end.
    if (version === null && box.version !== null) {
      version = box.version
      known = new WeakMap()
    }
    let kept = known.get(stored)
    if (kept === undefined) {
      kept = read(stored)
      known.set(stored, kept)
    }
    return kept
  }
}
