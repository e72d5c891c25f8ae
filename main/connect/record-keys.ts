import type { RecordedKey } from './connect-record.ts'
import { insideOf, parseText } from './format/edit-text.ts'
import { isObject, valueAt } from './format/key-path.ts'
import { valueDigest } from './take-back-keys.ts'
import type { FileFormat, Json, KeyEdit, KeyPath } from './tool.ts'

/** How many steps of a path stand there. */
function depthOf(value: Json, path: KeyPath): number {
  let depth = 0
  while (depth < path.length && valueAt(value, path.slice(0, depth + 1)) !== undefined) depth += 1
  return depth
}

/** The edited keys as they were in the text before, and as the one after has them. */
export function recordKeys(
  format: FileFormat,
  [text, after]: readonly [before: string, after: string],
  edits: readonly Omit<KeyEdit, 'file'>[],
): RecordedKey[] {
  const [old, now] = [text, after].map((one) => parseText(format, one)) as [Json, Json]
  return edits.map(({ path, value, isRewritten }) => {
    const before = valueAt(old, path)
    const written = valueAt(now, path)
    const depth = depthOf(old, path)
    const inside = before === undefined && insideOf(format, text, path.slice(0, depth))
    return {
      path,
      ...(before !== undefined && { before }),
      wrote: written === undefined ? null : valueDigest(written),
      isWhole: isObject(value),
      ...(isRewritten && { isRewritten }),
      depth,
      ...(inside && { inside }),
    }
  })
}
