import { type RealFile, readRealFile, removeFile, replaceFile } from './real-file.ts'

/** Puts back files as they were read, after a later one could not be written. */
export function rollBack(written: readonly { current: RealFile }[]): void {
  for (const { current } of written) {
    const now = readRealFile(current.path)
    if (current.bytes && current.mode !== null) replaceFile(now, current.bytes, current.mode)
    else removeFile(now, null)
  }
}
