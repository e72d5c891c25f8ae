import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { GatewayError } from '../../base/errors.ts'
import { ConnectFolder } from '../../connect/connect-record.ts'
import type { Machine, Tool } from '../../connect/tool.ts'
import { addressOf } from '../../connect/tool-status.ts'
import { tools } from '../../connect/tools.ts'
import { undoConnection } from '../../connect/undo-connection.ts'
import type { UndoneFile } from '../../connect/undo-step.ts'
import { openFolder } from '../../store/folder/folder.ts'
import { StartError } from '../../store/folder/start-error.ts'
import { STATE_NAME } from '../../store/state/state-file.ts'
import { checkHome } from './machine-facts.ts'
import { otherGateway, pointsToOther } from './other-gateway.ts'

const words: Record<UndoneFile['restored'], string> = {
  whole: 'as it was before, byte for byte',
  keys: "changed since it was connected: only Switchyard's keys were taken back",
  removed: "removed: it didn't exist before",
}

async function undoTool(tool: Tool, machine: Machine, folder: ConnectFolder): Promise<string> {
  const address = folder.read(tool.id)?.address ?? ''
  const self = { address: () => ({ host: '', port: 0, url: address }) }
  const other = await otherGateway(addressOf(tool, machine), self)
  if (other !== null) throw pointsToOther(tool, other)
  const files = undoConnection(tool, machine, folder)
  const lines = files.map(({ path, restored }) => `  ${path}: ${words[restored]}`)
  return [`${tool.name} is disconnected.`, ...lines].join('\n')
}

/**
 * Takes back every tool's connection in a data folder that no gateway uses at the time; gives what to tell. Throws
 * StartError when the folder is in use or holds no Switchyard, and once all had their turn, when one failed. Tokens
 * stay, with their aliases: they are of no use without the gateway.
 */
export async function undoOffline(path: string, machine: Machine): Promise<string> {
  const folder = resolve(path)
  // Opening it would begin a new one.
  if (!existsSync(join(folder, `${STATE_NAME}.json`))) {
    throw new StartError(`${folder} holds no Switchyard. Name its folder with --data-dir.`)
  }
  const opened = openFolder(folder)
  try {
    const records = new ConnectFolder(folder)
    const connected = tools.filter(({ id }) => records.read(id) !== null)
    if (connected.length === 0) return 'No tool is connected.'
    checkHome(machine)
    const done: string[] = []
    const failed: string[] = []
    for (const tool of connected) {
      try {
        done.push(await undoTool(tool, machine, records))
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        failed.push(`${tool.name} is still connected. ${error.message}`)
      }
    }
    if (failed.length > 0) throw new StartError([...done, ...failed].join('\n'))
    return done.join('\n')
  } catch (error) {
    throw error instanceof GatewayError ? new StartError(error.message, { cause: error }) : error
  } finally {
    opened.release()
  }
}
