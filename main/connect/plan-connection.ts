import type { Sentence } from '../base/reason.ts'
import type { ConnectFolder, ConnectRecord, RecordedFile, RecordedKey } from './connect-record.ts'
import { editText, parseText } from './format/edit-text.ts'
import { isObject, sameValue, valueAt } from './format/key-path.ts'
import { proxyWarning } from './proxy-warning.ts'
import { readRealFile, refusal } from './real-file.ts'
import { recordKeys } from './record-keys.ts'
import { isSameAddress } from './same-address.ts'
import { takeBackKeys } from './take-back-keys.ts'
import type { Connection, FileFormat, KeyEdit, Machine, Tool, ToolFile } from './tool.ts'
import { inWords, keyReader, type ReadToolFile, readToolFile } from './tool-status.ts'
import { type UndoStep, undoStep } from './undo-step.ts'

export interface PlannedFile extends ReadToolFile {
  /** The text without any connection of ours; null where there is no file then. */
  original: { text: string | null; bytes: Buffer | null; mode: number | null }
  /** Of the connection before; null where it had no such file. */
  recorded: RecordedFile | null
  after: string
  keys: RecordedKey[]
}

/** A file of the connection before that the tool doesn't look at any more. */
export interface LeftFile {
  recorded: RecordedFile
  step: UndoStep
}

export interface ConnectionPlan {
  files: PlannedFile[]
  /** They get their originals back. */
  left: LeftFile[]
  pointsTo: string | null
  /** Another Switchyard that it points at. */
  otherGateway: string | null
  warnings: Sentence[]
}

type Original = PlannedFile['original']

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line !== '')
    .sort()

/** The same values and the same comments, though keys may stand in another order. */
const hasSameContent = (format: FileFormat, a: string, b: string): boolean =>
  sameValue(parseText(format, a), parseText(format, b)) && sameValue(linesOf(a), linesOf(b))

interface Before {
  tool: Tool
  record: ConnectRecord | null
  folder: ConnectFolder
  /** It points here. */
  isOurs: boolean
  /** It points at another Switchyard. */
  isOthers: boolean
}

/** Also of a file that was renamed since. */
const recordedOf = ({ id, path }: ToolFile, record: ConnectRecord | null): RecordedFile | null =>
  record?.files.find((one) => one.id === id && one.path === path) ??
  record?.files.find((one) => one.id === id && readRealFile(one.path).text === null) ??
  null

const noFile: Original = { text: null, bytes: null, mode: null }

function originalOf(
  { file, current }: ReadToolFile,
  recorded: RecordedFile | null,
  changes: readonly KeyEdit[],
  { tool, record, folder, isOurs, isOthers }: Before,
): Original {
  const bytes = recorded ? folder.readBackup(tool.id, recorded) : null
  const kept: Original | null =
    bytes && recorded?.original
      ? { text: bytes.toString('utf8'), bytes, mode: recorded.original.mode }
      : null
  if (recorded && current.sha256 === recorded.left) {
    if (recorded.isNew) return noFile
    if (kept) return kept
  }
  if (current.text === null) return noFile
  if (recorded && record) {
    // Another Switchyard's keys in the place of ours are no original: ours knew the one before.
    const text = takeBackKeys(file.format, current.text, recorded, record.address, isOthers)
    const isKept = kept?.text && hasSameContent(file.format, text, kept.text)
    return isKept ? kept : { text, bytes: null, mode: current.mode }
  }
  if (!isOurs) return { text: current.text, bytes: current.bytes, mode: current.mode }
  // Connected to us, though nothing is recorded: our own keys must not become the original.
  const own = changes.filter(({ isDefault }) => !isDefault).map(({ path }) => ({ path }))
  return { text: editText(file.format, current.text, own), bytes: null, mode: current.mode }
}

/**
 * All that a connection would change. `otherGateway`: another Switchyard that the tool points at. Writes
 * nothing; throws `conflict` with a sentence.
 */
export function planConnection(
  tool: Tool,
  connection: Connection,
  machine: Machine,
  folder: ConnectFolder,
  otherGateway: string | null,
): ConnectionPlan {
  if (tool.kind === 'instruction') {
    throw refusal(`${tool.name} has no file that Switchyard edits. Follow its steps instead.`, {
      code: 'tool_without_file',
      tool: tool.name,
    })
  }
  const record = folder.read(tool.id)
  const edits = tool.edits(connection, machine)
  const read = tool.files(machine).map(readToolFile)
  const readKey = keyReader(read)
  const pointsTo = tool.pointsTo(readKey)
  const isOurs = pointsTo !== null && isSameAddress(pointsTo, connection.address)
  const standing: Before = { tool, record, folder, isOurs, isOthers: otherGateway !== null }
  const files = read.flatMap((one): PlannedFile[] => {
    const { file } = one
    const changes = edits.filter((edit) => edit.file === file.id)
    if (changes.length === 0) return []
    try {
      const recorded = recordedOf(file, record)
      const original = originalOf(one, recorded, changes, standing)
      const text = original.text ?? ''
      const before = parseText(file.format, text)
      const wanted = changes.filter(({ isDefault, isReplacement, path }) => {
        const isThere = valueAt(before, path) !== undefined
        return !(isDefault && isThere) && !(isReplacement && !isThere)
      })
      const after = editText(file.format, text, wanted)
      const keys = recordKeys(file.format, [text, after], wanted)
      return [{ ...one, original, recorded, after, keys }]
    } catch (error) {
      throw inWords(error, file.path)
    }
  })
  const left = record === null ? [] : leftFiles(record, files, read, folder)
  return {
    files,
    left,
    pointsTo,
    otherGateway,
    warnings: warningsOf(tool, connection, machine, readKey),
  }
}

function leftFiles(
  record: ConnectRecord,
  files: readonly PlannedFile[],
  read: readonly ReadToolFile[],
  folder: ConnectFolder,
): LeftFile[] {
  return record.files.flatMap((recorded) => {
    const isPlanned = files.some((planned) => planned.recorded === recorded)
    const one = read.find(({ file }) => file.id === recorded.id)
    const step = !isPlanned && one ? undoStep(one.file, recorded, record, folder) : null
    return step ? [{ recorded, step }] : []
  })
}

function warningsOf(
  tool: Tool,
  { address }: Connection,
  machine: Machine,
  read: ReturnType<typeof keyReader>,
): Sentence[] {
  const set = (tool.overriddenBy ?? []).filter((name) => machine.env[name])
  const shell = set.map(
    (name): Sentence => ({
      message: `The shell's variable ${name} is set and beats this file. Unset it.`,
      reason: { code: 'connect_variable_set', name },
    }),
  )
  const own = tool.variables?.(read)
  return [
    ...shell,
    ...proxyWarning(address, machine.env, isObject(own) ? own : {}),
    ...(tool.warnings?.(read, machine) ?? []),
  ]
}
