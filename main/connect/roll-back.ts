import type { GatewayError } from '../base/errors.ts'
import { type RealFile, readRealFile, refusal, removeFile, replaceFile } from './real-file.ts'

/**
 * Puts back files as they were read, after a later one could not be written. null where all of them are; else the
 * error that names the others, which stay as they were written.
 */
export function rollBack(
  written: readonly { current: RealFile; madeFolder?: string | null }[],
): GatewayError | null {
  const left: string[] = []
  let first: unknown
  // The first file made the folder: it goes last.
  for (const { current, madeFolder = null } of [...written].reverse()) {
    try {
      const now = readRealFile(current.path)
      if (current.bytes && current.mode !== null) replaceFile(now, current.bytes, current.mode)
      else removeFile(now, madeFolder)
    } catch (error) {
      first ??= error
      left.push(current.path)
    }
  }
  if (left.length === 0) return null
  const paths = left.join(', ')
  return refusal(
    `These files couldn't be put back as they were: ${paths}. Make them writable, make room on the disk, then choose Undo.`,
    { code: 'tool_files_left_changed', paths },
    first,
  )
}
