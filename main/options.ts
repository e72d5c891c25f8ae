import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isAddressEntry } from './base/net/address-list.ts'
import { StartError } from './store/folder/start-error.ts'

export interface Options {
  host: string
  port: number
  /** The port was asked for by name: another one will not do. */
  portIsNamed: boolean
  /** Absolute. */
  dataFolder: string
  /** Seconds that running calls get when the gateway stops; absent without the flag. */
  drainSeconds?: number
  /** Addresses and ranges of proxies in front, besides those of the option `TrustedProxies`. */
  trustedProxies?: readonly string[]
  /** User whose second factor is removed instead of starting; '' = the owner. */
  resetTwoFactorOf?: string
  /** The backup to put in the data folder's place, in place of starting. */
  restoreFrom?: string
  /** Only puts back the files of every connected tool. */
  disconnectsAll?: boolean
  /** The desktop starts without its window; a gateway without a window is hidden anyway. */
  isHidden?: boolean
}

export const DEFAULT_PORT = 4747

/** Where Electron keeps an application's data, so that the desktop and the headless gateway agree. */
export function defaultFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Switchyard')
  if (platform === 'win32') {
    return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Switchyard')
  }
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'Switchyard')
}

function parsePort(text: string, from: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  throw new StartError(
    `${from}: "${text}" isn't a port. Give a number from 0 (any free one) to 65535.`,
  )
}

const LONGEST_DRAIN = 3600

function parseSeconds(text: string, from: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= LONGEST_DRAIN) return Number(text)
  throw new StartError(
    `${from}: "${text}" isn't a time. Give a number of seconds from 0 to ${LONGEST_DRAIN}.`,
  )
}

function parseProxies(text: string, from: string): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const wrong = entries.find((entry) => !isAddressEntry(entry))
  if (wrong === undefined) return entries
  throw new StartError(
    `${from}: "${wrong}" is neither an address nor a range of addresses. Give a list such as 127.0.0.1,10.0.0.0/8.`,
  )
}

export const USAGE = `Usage: switchyard [options], from source: npm run gateway -- [options]
  --host HOST         address to listen on (default 127.0.0.1)
  --port PORT         port to listen on (default ${DEFAULT_PORT}, or the next free one)
  --data-dir DIR      folder for settings, keys and the ledger
  --drain SECONDS     time that running calls get when it stops (default 3)
  --trusted-proxies LIST
                      addresses or CIDR ranges of proxies whose X-Forwarded-* headers count
  --reset-2fa [USER]  only remove the second factor of USER, or of the owner (not in the desktop)
  --restore FILE      only put a backup in the place of the data folder's files (not in the desktop)
  --disconnect-all    disconnect every tool, restore its files, and exit
  --hidden            start without the desktop's window
Environment: SWITCHYARD_HOST, SWITCHYARD_PORT, SWITCHYARD_DATA_DIR, SWITCHYARD_SECRET_KEY,
  SWITCHYARD_DRAIN_SECONDS, SWITCHYARD_TRUSTED_PROXIES, SWITCHYARD_LOG (level on stderr),
  SWITCHYARD_LOG_FILE (off = no log in the folder)`

/** Every flag there is, as `parseArgs` takes them. */
export const flagTypes = {
  host: { type: 'string' },
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  drain: { type: 'string' },
  'trusted-proxies': { type: 'string' },
  'reset-2fa': { type: 'boolean' },
  restore: { type: 'string' },
  'disconnect-all': { type: 'boolean' },
  hidden: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Flags first, then environment, then defaults; null when only the usage is asked for. */
export function readOptions(
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Options | null {
  let values: {
    host?: string
    port?: string
    'data-dir'?: string
    drain?: string
    'trusted-proxies'?: string
    'reset-2fa'?: boolean
    restore?: string
    'disconnect-all'?: boolean
    hidden?: boolean
    help?: boolean
  }
  let names: string[]
  try {
    const parsed = parseArgs({
      args: [...flags],
      options: flagTypes,
      // A user's name may follow --reset-2fa; nothing else stands alone.
      allowPositionals: flags.includes('--reset-2fa'),
    })
    values = parsed.values
    names = parsed.positionals
    if (names.length > 1) throw new Error(`Unexpected argument '${names[1]}'.`)
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${USAGE}`, { cause })
  }
  if (values.help) return null
  for (const name of ['host', 'port', 'data-dir', 'drain', 'trusted-proxies', 'restore'] as const) {
    if (values[name] === '')
      throw new StartError(`--${name} is empty. Give it a value or leave it out.`)
  }
  // A variable that is set to nothing is one that is not set: an empty host above all, which would
  // mean every address of this machine.
  const port = values.port ?? (env.SWITCHYARD_PORT || undefined)
  const drain = values.drain ?? (env.SWITCHYARD_DRAIN_SECONDS || undefined)
  const proxies = values['trusted-proxies'] ?? (env.SWITCHYARD_TRUSTED_PROXIES || undefined)
  const folder = values['data-dir'] ?? env.SWITCHYARD_DATA_DIR
  return {
    host: values.host ?? (env.SWITCHYARD_HOST || '127.0.0.1'),
    port:
      port === undefined
        ? DEFAULT_PORT
        : parsePort(port, values.port === undefined ? 'SWITCHYARD_PORT' : '--port'),
    portIsNamed: port !== undefined,
    dataFolder: resolve(folder || defaultFolder(env, platform)),
    ...(drain !== undefined && {
      drainSeconds: parseSeconds(
        drain,
        values.drain === undefined ? 'SWITCHYARD_DRAIN_SECONDS' : '--drain',
      ),
    }),
    ...(proxies !== undefined && {
      trustedProxies: parseProxies(
        proxies,
        values['trusted-proxies'] === undefined
          ? 'SWITCHYARD_TRUSTED_PROXIES'
          : '--trusted-proxies',
      ),
    }),
    ...(values['reset-2fa'] && { resetTwoFactorOf: names[0] ?? '' }),
    ...(values.restore !== undefined && { restoreFrom: values.restore }),
    ...(values['disconnect-all'] && { disconnectsAll: true }),
    ...(values.hidden && { isHidden: true }),
  }
}
