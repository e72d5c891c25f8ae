import type { ConnectFolder, ConnectRecord, RecordedKey } from './connect-record.ts'
import { editText, type KeyChange, parseText } from './format/edit-text.ts'
import { isObject, valueAt } from './format/key-path.ts'
import { takeBackKeys, valueDigest } from './take-back-keys.ts'
import type { Connection, Json, KeyPath, Machine, Tool } from './tool.ts'
import {
  inWords,
  isSameAddress,
  keyReader,
  type ReadToolFile,
  readToolFile,
} from './tool-status.ts'

export interface PlannedFile extends ReadToolFile {
  /** The text without any connection of ours; null where there is no file then. */
  original: { text: string | null; bytes: Buffer | null; mode: number | null }
  after: string
  keys: RecordedKey[]
}

export interface ConnectionPlan {
  files: PlannedFile[]
  pointsTo: string | null
  warnings: string[]
}

type Original = PlannedFile['original']

function originalOf(
  read: ReadToolFile,
  changes: readonly KeyChange[],
  tool: Tool,
  record: ConnectRecord | null,
  folder: ConnectFolder,
  isOurs: boolean,
): Original {
  const { file, current } = read
  const recorded = record?.files.find(({ id, path }) => id === file.id && path === file.path)
  if (recorded && current.sha256 === recorded.left) {
    if (recorded.isNew) return { text: null, bytes: null, mode: null }
    const bytes = folder.readBackup(tool.id, recorded)
    if (bytes && recorded.original)
      return { text: bytes.toString('utf8'), bytes, mode: recorded.original.mode }
  }
  if (current.text === null) return { text: null, bytes: null, mode: null }
  if (recorded) {
    return {
      text: takeBackKeys(file.format, current.text, recorded),
      bytes: null,
      mode: current.mode,
    }
  }
  if (!isOurs) return { text: current.text, bytes: current.bytes, mode: current.mode }
  // Connected to us, though nothing is recorded: our own keys must not become the original.
  const own = changes.map(({ path }) => ({ path }))
  return { text: editText(file.format, current.text, own), bytes: null, mode: current.mode }
}

/** How many steps of a path stand there. */
function depthOf(value: Json, path: KeyPath): number {
  let depth = 0
  while (depth < path.length && valueAt(value, path.slice(0, depth + 1)) !== undefined) depth += 1
  return depth
}

function recordedKey(value: Json, { path, value: wanted }: KeyChange): RecordedKey {
  const before = valueAt(value, path)
  return {
    path,
    ...(before !== undefined && { before }),
    wrote: null,
    isWhole: isObject(wanted),
    depth: depthOf(value, path),
  }
}

/** All that a connection would change. Writes nothing; throws `conflict` with a sentence. */
export function planConnection(
  tool: Tool,
  connection: Connection,
  machine: Machine,
  folder: ConnectFolder,
): ConnectionPlan {
  const record = folder.read(tool.id)
  const edits = tool.edits(connection, machine)
  const read = tool.files(machine).map(readToolFile)
  const readKey = keyReader(read)
  const pointsTo = tool.pointsTo(readKey)
  const isOurs = pointsTo !== null && isSameAddress(pointsTo, connection.address)
  const files = read.flatMap((one): PlannedFile[] => {
    const { file } = one
    const changes = edits.filter((edit) => edit.file === file.id)
    if (changes.length === 0) return []
    try {
      const original = originalOf(one, changes, tool, record, folder, isOurs)
      const text = original.text ?? ''
      const after = editText(file.format, text, changes)
      const [before, now] = [parseText(file.format, text), parseText(file.format, after)]
      const keys = changes.map((change) => {
        const written = valueAt(now, change.path)
        return {
          ...recordedKey(before, change),
          wrote: written === undefined ? null : valueDigest(written),
        }
      })
      return [{ ...one, original, after, keys }]
    } catch (error) {
      throw inWords(error, file.path)
    }
  })
  return { files, pointsTo, warnings: warningsOf(tool, machine, readKey) }
}

function warningsOf(tool: Tool, machine: Machine, read: ReturnType<typeof keyReader>): string[] {
  const set = (tool.overriddenBy ?? []).filter((name) => machine.env[name])
  const shell = set.map(
    (name) => `The shell's variable ${name} is set and beats this file. Unset it.`,
  )
  return [...shell, ...(tool.warnings?.(read, machine) ?? [])]
}
