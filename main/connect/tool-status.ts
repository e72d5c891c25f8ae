import { delimiter, join } from 'node:path'
import { GatewayError } from '../base/errors.ts'
import type { Reason, Sentence } from '../base/reason.ts'
import type { ConnectRecord } from './connect-record.ts'
import { BrokenFile } from './format/broken-file.ts'
import { parseText } from './format/edit-text.ts'
import { valueAt } from './format/key-path.ts'
import { type RealFile, readRealFile } from './real-file.ts'
import { isSameAddress } from './same-address.ts'
import { isAsWritten } from './take-back-keys.ts'
import type { Json, Machine, ReadKey, Tool, ToolFile } from './tool.ts'

/** A tool's file with what is in it. */
export interface ReadToolFile {
  file: ToolFile
  current: RealFile
  value: Json
}

/** Throws `conflict` with a sentence for a file that is broken or can't be read. */
export function readToolFile(file: ToolFile): ReadToolFile {
  const current = readRealFile(file.path)
  try {
    return { file, current, value: parseText(file.format, current.text ?? '') }
  } catch (error) {
    throw inWords(error, file.path)
  }
}

/** A broken or uneditable file's sentence. */
export function inWords(error: unknown, path: string): GatewayError {
  if (error instanceof GatewayError) return error
  const message = (error as Error).message.replace(/\.$/, '')
  const advice = error instanceof BrokenFile ? 'Correct it' : 'Change it by hand'
  return new GatewayError('conflict', {
    message: `${path}: ${message}. ${advice}, then try again; nothing was changed.`,
    cause: error,
    reason: {
      code: error instanceof BrokenFile ? 'tool_file_broken' : 'tool_file_uneditable',
      path,
      problem: message,
    },
  })
}

export const keyReader =
  (files: readonly ReadToolFile[]): ReadKey =>
  (id, path) => {
    const found = files.find(({ file }) => file.id === id)
    return found && valueAt(found.value, path)
  }

export interface ToolStatus {
  installed: boolean
  status: 'not_found' | 'elsewhere' | 'here' | 'changed' | 'broken'
  pointsTo: string | null
  /** An earlier address of this gateway, where it points there. */
  oldAddress: string | null
  problem: { message: string; reason: Reason | null } | null
  files: { path: string; exists: boolean }[]
}

/** Where programs are, besides PATH: a desktop application may have a short one. */
function programFolders({ env, home, platform }: Machine): string[] {
  const own =
    platform === 'win32' ? [] : [join(home, '.local/bin'), '/usr/local/bin', '/opt/homebrew/bin']
  return [...(env.PATH ?? env.Path ?? '').split(delimiter).filter((path) => path !== ''), ...own]
}

function isInstalled(tool: Tool, machine: Machine): boolean {
  const endings = machine.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const folders = programFolders(machine)
  const isProgram = (name: string) =>
    folders.some((folder) => endings.some((end) => machine.exists(join(folder, name + end))))
  return (
    tool.installed.commands.some(isProgram) || tool.installed.paths(machine).some(machine.exists)
  )
}

/** Where a tool points now; null also for files that can't be read. */
export function addressOf(tool: Tool, machine: Machine): string | null {
  try {
    return tool.pointsTo(keyReader(tool.files(machine).map(readToolFile)))
  } catch {
    return null
  }
}

/** How a tool stands to the gateway at `address`. Reads only. */
export function toolStatus(
  tool: Tool,
  machine: Machine,
  address: string,
  record: ConnectRecord | null,
): ToolStatus {
  const installed = isInstalled(tool, machine)
  const files = tool
    .files(machine)
    .map((file) => ({ path: file.path, exists: machine.exists(file.path) }))
  const none = { installed, files, pointsTo: null, oldAddress: null, problem: null }
  let read: ReadToolFile[]
  try {
    read = tool.files(machine).map(readToolFile)
  } catch (error) {
    const { message, reason } = error as GatewayError
    return { ...none, status: 'broken', problem: { message, reason: reason ?? null } }
  }
  const pointsTo = tool.pointsTo(keyReader(read))
  const stands = { ...none, pointsTo }
  const isHere = pointsTo !== null && isSameAddress(pointsTo, address)
  if (!record) {
    if (isHere) return { ...stands, status: 'here' }
    return { ...stands, status: installed || pointsTo !== null ? 'elsewhere' : 'not_found' }
  }
  if (pointsTo !== null && !isHere && isSameAddress(pointsTo, record.address)) {
    const problem: Sentence = {
      message: `It points to the old address of this gateway, ${record.address}. Use the new one, ${address}.`,
      reason: { code: 'connect_old_address', before: record.address, now: address },
    }
    return { ...stands, status: 'changed', oldAddress: record.address, problem }
  }
  if (!isHere) {
    const problem: Sentence = {
      message: `It was connected here, and points ${pointsTo === null ? 'elsewhere' : `at ${pointsTo}`} since.`,
      reason:
        pointsTo === null
          ? { code: 'connect_points_elsewhere' }
          : { code: 'connect_points_at', address: pointsTo },
    }
    return { ...stands, status: 'changed', problem }
  }
  const isUntouched = record.files.every(({ id, keys }) => {
    const found = read.find(({ file }) => file.id === id)
    return (
      found !== undefined && keys.every((key) => key.isRewritten || isAsWritten(found.value, key))
    )
  })
  if (isUntouched) return { ...stands, status: 'here' }
  return {
    ...stands,
    status: 'changed',
    problem: {
      message: 'Keys that were set here have been changed since.',
      reason: { code: 'connect_keys_changed' },
    },
  }
}
