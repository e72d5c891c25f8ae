import type { ConnectFolder, ConnectRecord, RecordedFile } from './connect-record.ts'
import { editText, parseText } from './format/edit-text.ts'
import { type RealFile, readRealFile, refusal, removeFile, replaceFile } from './real-file.ts'
import { rollBack } from './roll-back.ts'
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
  file: ToolFile,
  recorded: RecordedFile,
  { tool, address }: ConnectRecord,
  folder: ConnectFolder,
): Step | null {
  const current = readRealFile(recorded.path)
  const { text, mode } = current
  // Our keys went with the file.
  if (text === null || mode === null) return null
  const step = { path: recorded.path, current, madeFolder: recorded.madeFolder, bytes: '', mode }
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
    throw inWords(error, recorded.path)
  }
}

/** The same without the other Switchyard that the original points at: none of the keys stays. */
function withoutKeys(step: Step, file: ToolFile, { keys }: RecordedFile): Step {
  if (step.restored === 'removed') return step
  const text = step.bytes.toString('utf8')
  try {
    const ours = keys.map(({ path }) => ({ path }))
    const bytes = editText(file.format, text, ours)
    return bytes === text ? step : { ...step, restored: 'keys', bytes }
  } catch (error) {
    throw inWords(error, step.path)
  }
}

/**
 * Takes a connection back, wholly or not at all. `toNone`: and where the tool pointed at another Switchyard
 * before, away from that one too. Throws `conflict` with a sentence.
 */
export function undoConnection(
  tool: Tool,
  machine: Machine,
  folder: ConnectFolder,
  toNone = false,
): UndoneFile[] {
  const record: ConnectRecord | null = folder.read(tool.id)
  if (!record)
    throw refusal(`${tool.name} was not connected by this gateway: there is nothing to undo.`, {
      code: 'tool_not_connected',
      tool: tool.name,
    })
  const known = tool.files(machine)
  const steps = record.files.flatMap((recorded) => {
    const file = known.find(({ id }) => id === recorded.id)
    const step = file && stepOf(file, recorded, record, folder)
    if (!step) return []
    return [toNone && record.otherGateway !== null ? withoutKeys(step, file, recorded) : step]
  })
  const done: Step[] = []
  try {
    for (const step of steps) {
      if (step.restored === 'removed') removeFile(step.current, step.madeFolder)
      else replaceFile(step.current, step.bytes, step.mode)
      done.push(step)
    }
  } catch (error) {
    rollBack(done)
    throw error
  }
  folder.forget(record)
  return steps.map(({ path, restored }) => ({ path, restored }))
}
