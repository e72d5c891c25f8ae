import { unixSeconds } from '../base/clock.ts'
import type { ConnectFolder, ConnectRecord, RecordedFile, RecordedKey } from './connect-record.ts'
import { editText, type KeyChange, parseText } from './format/edit-text.ts'
import { isObject, sameValue, valueAt } from './format/key-path.ts'
import { refusal, replaceFile, sha256 } from './real-file.ts'
import { rollBack } from './roll-back.ts'
import { withAddress } from './same-address.ts'
import { isAsWritten, valueDigest } from './take-back-keys.ts'
import type { Json, KeyPath, Machine, Tool } from './tool.ts'
import { inWords, type ReadToolFile, readToolFile } from './tool-status.ts'

interface MovedFile extends ReadToolFile {
  after: string
  recorded: RecordedFile
}

/** Entries of a list may be told apart by the address. */
const movedPath = (path: KeyPath, from: string, to: string): KeyPath =>
  path.map((step) =>
    typeof step === 'string'
      ? step
      : { entry: withAddress(step.entry, from, to) as Record<string, string> },
  )

/** The smallest changes that put another address in: single keys of our objects, whole lists. */
function* moves(path: KeyPath, value: Json, from: string, to: string): Generator<KeyChange> {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) yield* moves([...path, key], inner, from, to)
    return
  }
  const moved = withAddress(value, from, to)
  if (!sameValue(moved, value)) yield { path, value: moved }
}

function moveFile(
  read: ReadToolFile,
  recorded: RecordedFile,
  from: string,
  to: string,
): MovedFile | null {
  const { file, current, value } = read
  const text = current.text ?? ''
  const changes = recorded.keys.flatMap(({ path }) => {
    const stands = valueAt(value, path)
    return stands === undefined ? [] : [...moves(path, stands, from, to)]
  })
  if (changes.length === 0) return null
  const after = editText(file.format, text, changes)
  const now = parseText(file.format, after)
  const keys = recorded.keys.map((key): RecordedKey => {
    const path = movedPath(key.path, from, to)
    const written = valueAt(now, path)
    const isOurs = isAsWritten(value, key) && written !== undefined
    return { ...key, path, wrote: isOurs ? valueDigest(written) : key.wrote }
  })
  // Somebody else's change stays one: undo then takes back keys, and not the whole file.
  const left = current.sha256 === recorded.left ? sha256(after) : recorded.left
  return { ...read, after, recorded: { ...recorded, keys, left } }
}

/**
 * Follows a connection to the gateway's new address: only the address changes, in our own keys, so token,
 * models and all that others changed stay, and undo still leads to the original. Throws `conflict` with a
 * sentence, and then nothing was changed.
 */
export function moveConnection(
  tool: Tool,
  machine: Machine,
  folder: ConnectFolder,
  address: string,
): ConnectRecord {
  const record = folder.read(tool.id)
  if (!record)
    throw refusal(`${tool.name} was not connected by this gateway.`, {
      code: 'tool_not_connected',
      tool: tool.name,
    })
  const read = tool.files(machine).map(readToolFile)
  const moved = record.files.flatMap((recorded): MovedFile[] => {
    const one = read.find(({ file }) => file.id === recorded.id && file.path === recorded.path)
    if (!one) return []
    try {
      const file = moveFile(one, recorded, record.address, address)
      return file ? [file] : []
    } catch (error) {
      throw inWords(error, recorded.path)
    }
  })
  if (moved.length === 0) {
    throw refusal(`${tool.name} doesn't point at ${record.address} any more. Connect it again.`, {
      code: 'tool_points_away',
      tool: tool.name,
      address: record.address,
    })
  }
  const files = record.files.map(
    (recorded) => moved.find((one) => one.recorded.path === recorded.path)?.recorded ?? recorded,
  )
  const next: ConnectRecord = { ...record, address, connectedAt: unixSeconds(), files }
  folder.write(next)
  const written: MovedFile[] = []
  try {
    for (const one of moved) {
      replaceFile(one.current, one.after, one.current.mode ?? 0o600)
      written.push(one)
    }
  } catch (error) {
    const halfDone = rollBack(written)
    folder.write(record)
    throw halfDone ?? error
  }
  return next
}
