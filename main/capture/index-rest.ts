import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { CaptureFile } from '../store/captures/capture-file.ts'
import { encodedBodies } from './encode-capture.ts'
import { GramFilter } from './gram-filter.ts'
import { addTexts, type TextIndex } from './text-index.ts'

const unpack = promisify(inflateRaw)

/**
 * Gives each capture that lacks a filter of its texts one, the newest first, while calls go on. Throws when it cannot
 * go on, as `assertKey` does while there is no key.
 */
export async function indexRest(
  file: CaptureFile,
  texts: TextIndex,
  isOpen: () => boolean,
  assertKey: () => void,
): Promise<void> {
  let filter: GramFilter | null = null
  while (isOpen()) {
    const block = texts.lacking(file)
    if (!block) return
    filter ??= new GramFilter()
    for (const id of block.ids) {
      await nextTurn()
      if (!isOpen()) return
      const packed = file.find(id)
      if (packed) await addTexts(filter, await bodiesIn(packed))
      else assertKey()
    }
    if (!isOpen()) return
    // Calls that came meanwhile have higher numbers; those that were pruned meanwhile do no harm.
    file.writeFilter(block.first, block.last, filter.pieces())
    filter.clear()
  }
}

/** None for bytes that are damaged: nobody can search them either. */
async function bodiesIn(packed: Buffer): Promise<Buffer[]> {
  try {
    return encodedBodies(await unpack(packed))
  } catch {
    return []
  }
}
