import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'

/** The line by which a file is known as ours; desktop entries leave keys that begin with X- to the app. */
const MARK = 'X-Switchyard=start-at-login'

/** Content of an autostart file. */
export interface AutostartEntry {
  /** Written by Switchyard. */
  isOurs: boolean
  /** The session starts it. */
  isOn: boolean
  /** Program and arguments of `Exec`; empty where it cannot be read. */
  command: readonly string[]
}

/** https://specifications.freedesktop.org/autostart-spec/latest/: a relative XDG_CONFIG_HOME is ignored. */
export function autostartPath(env: NodeJS.ProcessEnv, home: string): string {
  const config = env.XDG_CONFIG_HOME ?? ''
  const folder = isAbsolute(config) ? config : join(home, '.config')
  return join(folder, 'autostart', 'switchyard.desktop')
}

/**
 * One argument of `Exec`: quoted, with `"`, backtick, `$` and backslash escaped, and percent doubled, since %f
 * and the like are fields. The value as a whole is a string, in which a backslash is written twice.
 * https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
 */
function quoteArgument(argument: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be written.
  if (/[\0-\x1f\x7f]/.test(argument)) {
    throw new Error(
      'The path of the app contains a control character. Autostart files cannot. Move the app to another folder.',
    )
  }
  const escaped = argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  return `"${escaped}"`.replaceAll('\\', '\\\\')
}

/**
 * By the same specification the program's path may not hold `=`, and GIO finds none that holds `%`, however it is
 * escaped. As an argument of a shell both may be in it.
 */
const startable = (command: readonly string[]): readonly string[] =>
  /[=%]/.test(command[0] ?? '') ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...command] : command

const escapes: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** The arguments of an `Exec` value; empty for one that does not end its quotes. */
function readCommand(value: string): string[] {
  const text = value.replace(/\\([sntr\\])/g, (_all, one: string) => escapes[one] ?? '')
  const found = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"]+)|"/g)]
  if (found.some(([all]) => all === '"')) return []
  const command = found.map(([, quoted, plain]) =>
    (quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1')).replaceAll('%%', '%'),
  )
  return command[0] === '/bin/sh' && command[1] === '-c' ? command.slice(3) : command
}

/** The keys of the group `[Desktop Entry]`. */
function readKeys(text: string): Map<string, string> {
  const keys = new Map<string, string>()
  let isInside = false
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) isInside = line.trim() === '[Desktop Entry]'
    const [, key = '', value = ''] = /^([A-Za-z0-9-]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (isInside && key !== '') keys.set(key, value)
  }
  return keys
}

/** Null where there is none. */
export async function readAutostart(path: string): Promise<AutostartEntry | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    // A folder, or a file that may not be read: whatever it is, it is not ours.
    return { isOurs: false, isOn: false, command: [] }
  }
  const keys = readKeys(text)
  // Settings of desktops switch an entry off by these, and leave the file.
  const isOff = keys.get('Hidden') === 'true' || keys.get('X-GNOME-Autostart-enabled') === 'false'
  return {
    isOurs: text.split(/\r?\n/).includes(MARK),
    isOn: !isOff,
    command: readCommand(keys.get('Exec') ?? ''),
  }
}

/** Writes the file whole or not at all; where it is a link, what it leads to is written. */
export async function writeAutostart(path: string, command: readonly string[]): Promise<void> {
  const text = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Switchyard',
    'Comment=Personal model gateway',
    `Exec=${startable(command).map(quoteArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    MARK,
    '',
  ].join('\n')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await realpath(path).catch(() => path)
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(draft, text, { mode: 0o644, flag: 'wx', flush: true })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export const removeAutostart = (path: string): Promise<void> => rm(path, { force: true })
