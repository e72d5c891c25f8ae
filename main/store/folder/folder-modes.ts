import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** How the names of what is kept begin. */
const OWN_NAME =
  /^(?:state|secret\.key|ledger|captures?|refused|lock|local-access|connect|logs|backups|before-restore|restoring)(?:[.\-_]|$)/

const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000
const ROOT = 0

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')

/**
 * Closes a data folder that was there before to other users, as far as this user may; gives sentences on what
 * was changed, or is still open. Throws StartError for a folder that other people's files live in or that
 * belongs to another user: that user can replace keys and settings. Windows has no such modes.
 */
export function closeToOthers(folder: string): string[] {
  const self = process.getuid?.()
  if (self === undefined) return []
  const stats = statSync(folder)
  const mayChange = ({ uid }: Stats) => uid === self || self === ROOT
  if (!mayChange(stats) && stats.uid !== ROOT) {
    throw new StartError(
      `The data folder ${folder} belongs to another user, who could replace what is in it. Start with a folder of your own (--data-dir).`,
    )
  }
  const warnings: string[] = []
  const entries = readdirSync(folder)
  const own = entries.filter((name) => OWN_NAME.test(name))
  const { mode } = stats
  // Other files in the folder keep their modes.
  const tooOpen = mode & (own.length === entries.length ? OTHERS : OTHERS_WRITE)
  if (tooOpen !== 0 && !mayChange(stats)) {
    warnings.push(
      `The data folder ${folder} is open to other users (mode ${octal(mode)}) and belongs to root. Change its owner to this user, or its mode to 0700.`,
    )
  } else if (tooOpen !== 0) {
    if (mode & STICKY) {
      throw new StartError(
        `The data folder ${folder} is shared by all users of this machine (mode ${octal(mode)}). Start with a folder of your own (--data-dir).`,
      )
    }
    warnings.push(
      tryChmod(folder, mode & 0o7777 & ~tooOpen)
        ? `The data folder ${folder} was open to other users (mode ${octal(mode)}). Its mode is now ${octal(mode & ~tooOpen)}. If others could write there, check its files.`
        : `The data folder ${folder} is open to other users (mode ${octal(mode)}), and its file system takes no other mode. Use one that does.`,
    )
  }
  const closed = own.filter((name) => closeEntry(join(folder, name), mayChange))
  if (closed.length > 0) {
    warnings.push(
      `In ${folder} other users could open ${closed.join(', ')}. Only this user can now. Make new keys if somebody may have read them.`,
    )
  }
  return warnings
}

/** Closes a file, or a folder with the files in it; true when something was open. */
function closeEntry(path: string, mayChange: (stats: Stats) => boolean): boolean {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink() || !mayChange(stats)) return false
  const wasOpen = (stats.mode & OTHERS) !== 0 && tryChmod(path, stats.mode & 0o7777 & ~OTHERS)
  if (!stats.isDirectory()) return wasOpen
  return readdirSync(path)
    .map((name) => closeEntry(join(path, name), mayChange))
    .some(Boolean)
}

/** False on a file system that knows no modes, such as that of a USB stick. */
function tryChmod(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode)
    return true
  } catch {
    return false
  }
}
