import type { ConnectFolder, ConnectRecord, RecordedFile } from './connect-record.ts'
import { parseText } from './format/edit-text.ts'
import { type RealFile, readRealFile, refusal, removeFile, replaceFile } from './real-file.ts'
import { takeBackKeys } from './take-back-keys.ts'
import type { Machine, Tool, ToolFile } from './tool.ts'
import { inWords } from './tool-status.ts'

export interface UndoneFile {
  path: string
  /** `whole`: byte for byte; `keys`: ours alone, since others have changed it; `removed`: we had made it. */
  restored: 'whole' | 'keys' | 'removed'
}

interface Step extends UndoneFile {
  current: RealFile
  bytes: Buffer | string
  mode: number
  madeFolder: string | null
}

function stepOf(
  tool: Tool,
  file: ToolFile,
  recorded: RecordedFile,
  folder: ConnectFolder,
): Step | null {
  const current = readRealFile(recorded.path)
  const { text, mode } = current
  // Our keys went with the file.
  if (text === null || mode === null) return null
  const step = { path: recorded.path, current, madeFolder: recorded.madeFolder, bytes: '', mode }
  if (current.sha256 === recorded.left) {
    if (recorded.isNew) return { ...step, restored: 'removed' }
    const bytes = folder.readBackup(tool.id, recorded)
    if (bytes && recorded.original) {
      return { ...step, restored: 'whole', bytes, mode: recorded.original.mode }
    }
  }
  try {
    const left = takeBackKeys(file.format, text, recorded)
    const value = parseText(file.format, left)
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (recorded.isNew && isEmpty && !/#|\/\/|\/\*/.test(left))
      return { ...step, restored: 'removed' }
    return { ...step, restored: 'keys', bytes: left }
  } catch (error) {
    throw inWords(error, recorded.path)
  }
}

/** Takes a connection back, wholly or not at all. Throws `conflict` with a sentence. */
export function undoConnection(tool: Tool, machine: Machine, folder: ConnectFolder): UndoneFile[] {
  const record: ConnectRecord | null = folder.read(tool.id)
  if (!record)
    throw refusal(`${tool.name} was not connected by this gateway: there is nothing to undo.`)
  const known = tool.files(machine)
  const steps = record.files.flatMap((recorded) => {
    const file = known.find(({ id }) => id === recorded.id)
    const step = file && stepOf(tool, file, recorded, folder)
    return step ? [step] : []
  })
  const done: Step[] = []
  try {
    for (const step of steps) {
      if (step.restored === 'removed') removeFile(step.current, step.madeFolder)
      else replaceFile(step.current, step.bytes, step.mode)
      done.push(step)
    }
  } catch (error) {
    for (const { path, current } of done) {
      replaceFile(readRealFile(path), current.bytes ?? '', current.mode ?? 0o600)
    }
    throw error
  }
  folder.forget(record)
  return steps.map(({ path, restored }) => ({ path, restored }))
}
