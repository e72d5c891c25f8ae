import type { ConnectFolder, ConnectRecord, RecordedFile } from './connect-record.ts'
import { parseText } from './format/edit-text.ts'
import { type RealFile, readRealFile, removeFile, replaceFile } from './real-file.ts'
import { takeBackKeys } from './take-back-keys.ts'
import type { ToolFile } from './tool.ts'
import { inWords } from './tool-status.ts'

export interface UndoneFile {
  path: string
  /** `whole`: byte for byte; `keys`: ours alone, since others have changed it; `removed`: we had made it. */
  restored: 'whole' | 'keys' | 'removed'
}

export interface UndoStep extends UndoneFile {
  current: RealFile
  bytes: Buffer | string
  mode: number
  madeFolder: string | null
}

/**
 * The way back of one file. null: there is none, since our keys went with it; a renamed one is looked for where
 * the tool reads it now.
 */
export function undoStep(
  file: ToolFile,
  recorded: RecordedFile,
  { tool, address }: Pick<ConnectRecord, 'tool' | 'address'>,
  folder: ConnectFolder,
): UndoStep | null {
  const old = readRealFile(recorded.path)
  const current = old.text === null ? readRealFile(file.path) : old
  const { text, mode, path } = current
  if (text === null || mode === null) return null
  const step = { path, current, madeFolder: recorded.madeFolder, bytes: '', mode }
  if (current.sha256 === recorded.left) {
    if (recorded.isNew) return { ...step, restored: 'removed' }
    const bytes = folder.readBackup(tool, recorded)
    if (bytes && recorded.original) {
      return { ...step, restored: 'whole', bytes, mode: recorded.original.mode }
    }
  }
  try {
    const left = takeBackKeys(file.format, text, recorded, address)
    const value = parseText(file.format, left)
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (recorded.isNew && isEmpty && !/#|\/\/|\/\*/.test(left))
      return { ...step, restored: 'removed' }
    return { ...step, restored: 'keys', bytes: left }
  } catch (error) {
    throw inWords(error, path)
  }
}

export function takeStep({ restored, current, bytes, mode, madeFolder }: UndoStep): void {
  if (restored === 'removed') removeFile(current, madeFolder)
  else replaceFile(current, bytes, mode)
}
