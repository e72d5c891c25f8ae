import type { ConnectFolder, ConnectRecord, RecordedFile } from './connect-record.ts'
import { editText } from './format/edit-text.ts'
import { refusal } from './real-file.ts'
import { rollBack } from './roll-back.ts'
import type { Machine, Tool, ToolFile } from './tool.ts'
import { inWords } from './tool-status.ts'
import { takeStep, type UndoneFile, type UndoStep, undoStep } from './undo-step.ts'

/** The same without the other Switchyard that the original points at: none of the keys stays. */
function withoutKeys(step: UndoStep, file: ToolFile, { keys }: RecordedFile): UndoStep {
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
    const step = file && undoStep(file, recorded, record, folder)
    if (!step) return []
    return [toNone && record.otherGateway !== null ? withoutKeys(step, file, recorded) : step]
  })
  const done: UndoStep[] = []
  try {
    // The first file made the folder of the others: it goes last.
    for (const step of [...steps].reverse()) {
      takeStep(step)
      done.push(step)
    }
  } catch (error) {
    throw rollBack(done) ?? error
  }
  folder.forget(record)
  return steps.map(({ path, restored }) => ({ path, restored }))
}
