import { join } from 'node:path'
import type { Machine } from './tool.ts'

const editions = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor']

/** Folder of an edition's user settings: https://code.visualstudio.com/docs/configure/settings */
export function vscodeUser({ platform, home, env }: Machine, edition = 'Code'): string {
  if (env.VSCODE_PORTABLE && edition === 'Code') {
    return join(env.VSCODE_PORTABLE, 'user-data', 'User')
  }
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.APPDATA || join(home, 'AppData', 'Roaming'),
  }
  const folder = folders[platform] ?? (env.XDG_CONFIG_HOME || join(home, '.config'))
  return join(folder, edition, 'User')
}

/**
 * Folders that an extension has once it has run, in any edition. Its own folder has its version in
 * the name.
 */
export const extensionFolders = (machine: Machine, id: string): string[] =>
  editions.map((edition) => join(vscodeUser(machine, edition), 'globalStorage', id))
