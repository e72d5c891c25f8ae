import { delimiter, join } from 'node:path'
import { GatewayError } from '../base/errors.ts'
import type { ConnectRecord } from './connect-record.ts'
import { BrokenFile } from './format/broken-file.ts'
import { parseText } from './format/edit-text.ts'
import { valueAt } from './format/key-path.ts'
import { type RealFile, readRealFile } from './real-file.ts'
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
  /** A sentence. */
  problem: string | null
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

/** `localhost` and 127.0.0.1 are one; a path such as /v1 doesn't matter. */
export function isSameAddress(a: string, b: string): boolean {
  try {
    const [one, other] = [new URL(a), new URL(b)]
    const host = ({ hostname }: URL) =>
      /^(localhost|\[::1\])$/.test(hostname) ? '127.0.0.1' : hostname
    return host(one) === host(other) && one.port === other.port && one.protocol === other.protocol
  } catch {
    return false
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
  const none = { installed, files, pointsTo: null, problem: null }
  let read: ReadToolFile[]
  try {
    read = tool.files(machine).map(readToolFile)
  } catch (error) {
    return { ...none, status: 'broken', problem: (error as GatewayError).message }
  }
  const pointsTo = tool.pointsTo(keyReader(read))
  const stands = { ...none, pointsTo }
  const isHere = pointsTo !== null && isSameAddress(pointsTo, address)
  if (!record) {
    if (isHere) return { ...stands, status: 'here' }
    return { ...stands, status: installed || pointsTo !== null ? 'elsewhere' : 'not_found' }
  }
  if (pointsTo !== null && !isHere && isSameAddress(pointsTo, record.address)) {
    const problem = `It points at this gateway's earlier address, ${record.address}. Apply again to use ${address}.`
    return { ...stands, status: 'changed', problem }
  }
  if (!isHere) {
    const problem = `It was connected here, and points ${pointsTo === null ? 'elsewhere' : `at ${pointsTo}`} since.`
    return { ...stands, status: 'changed', problem }
  }
  const isUntouched = record.files.every(({ id, keys }) => {
    const found = read.find(({ file }) => file.id === id)
    return found !== undefined && keys.every((key) => isAsWritten(found.value, key))
  })
  if (isUntouched) return { ...stands, status: 'here' }
  return {
    ...stands,
    status: 'changed',
    problem: 'Keys that were set here have been changed since.',
  }
}
