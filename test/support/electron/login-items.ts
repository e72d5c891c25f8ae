import type { App, LaunchItems, LoginItemSettings } from 'electron'

/**
 * Login items as Electron has them on each system: of Windows the Run key, of macOS the list of the system, and
 * nothing on Linux, where setting does nothing and reading gives the defaults
 * (shell/browser/browser_linux.cc, browser_win.cc and browser_mac.mm of Electron).
 */
export class LoginItems implements Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'> {
  readonly #platform: NodeJS.Platform
  /** Windows: the Run key; public so that a test may play the Task Manager. */
  readonly runKey = new Map<string, { path: string; args: string[]; enabled: boolean }>()
  /** macOS: what the system says of the app; a test may play its settings. */
  status: LoginItemSettings['status'] = 'not-registered'
  /** macOS: the system started it at login. */
  wasOpenedAtLogin = false
  /** macOS: the user has yet to allow it. */
  needsApproval = false

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform
  }

  readonly setLoginItemSettings: App['setLoginItemSettings'] = (settings) => {
    const { openAtLogin = false, path, args = [], enabled = true, name, type } = settings
    if (this.#platform === 'darwin') {
      if (type !== undefined && type !== 'mainAppService' && !settings.serviceName) {
        throw new TypeError("'name' is required when type is not mainAppService")
      }
      this.status = !openAtLogin
        ? 'not-registered'
        : this.needsApproval
          ? 'requires-approval'
          : 'enabled'
    }
    if (this.#platform !== 'win32') return
    const key = name ?? 'electron.app.Switchyard'
    if (openAtLogin)
      this.runKey.set(key, {
        path: (path ?? process.execPath).replace(/^"|"$/g, ''),
        args,
        enabled,
      })
    else this.runKey.delete(key)
  }

  readonly getLoginItemSettings: App['getLoginItemSettings'] = (options = {}) => {
    const none: LoginItemSettings = {
      openAtLogin: false,
      wasOpenedAtLogin: false,
      status: 'not-registered',
      executableWillLaunchAtLogin: false,
      launchItems: [],
    }
    if (this.#platform === 'darwin') {
      const { status, wasOpenedAtLogin } = this
      return { ...none, openAtLogin: status === 'enabled', status, wasOpenedAtLogin }
    }
    if (this.#platform !== 'win32') return none
    const program = programOf(options.path ?? process.execPath)
    const launchItems = [...this.runKey].flatMap(([name, item]): LaunchItems[] =>
      item.path.toLowerCase() === program.toLowerCase() ? [{ name, ...item, scope: 'user' }] : [],
    )
    return {
      ...none,
      executableWillLaunchAtLogin: launchItems.some(({ enabled }) => enabled),
      launchItems,
    }
  }
}

/** The program of a command line, as `CommandLine::FromString` reads it: unquoted it ends at the first space. */
const programOf = (commandLine: string): string =>
  /^"([^"]*)"|^\S+/.exec(commandLine)?.slice(0, 2).findLast(Boolean) ?? ''

export const { getLoginItemSettings, setLoginItemSettings } = new LoginItems()
