import type { App } from 'electron'
import { GatewayError } from '../../base/errors.ts'
import type { DesktopCapabilities, LoginItem } from '../../manage/desktop/desktop-capabilities.ts'
import { autostartPath, readAutostart, removeAutostart, writeAutostart } from './autostart-file.ts'

const HIDDEN = '--hidden'

export interface LoginItemPlace {
  app: Pick<App, 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'>
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  home: string
  /** `process.execPath`. */
  program: string
  /** The flags of this start that one at login must have too, such as another data folder. */
  flags: readonly string[]
}

type LoginItems = Pick<DesktopCapabilities, 'readLoginItem' | 'writeLoginItem'>

/** An AppImage is mounted elsewhere at each start: what lasts is the file that was started. */
function launcherOf({ env, program }: LoginItemPlace): string {
  const { APPIMAGE, APPDIR } = env
  // Both are inherited from an AppImage that started this program without being it.
  return APPIMAGE && APPDIR && program.startsWith(`${APPDIR}/`) ? APPIMAGE : program
}

const argumentsOf = ({ flags }: LoginItemPlace, startHidden: boolean): string[] => [
  ...flags,
  ...(startHidden ? [HIDDEN] : []),
]

/** Linux: Electron has nothing for it, so the file that desktops read at login is written. */
function linuxItem(place: LoginItemPlace): LoginItems {
  const path = autostartPath(place.env, place.home)
  const launcher = launcherOf(place)
  return {
    async readLoginItem(): Promise<LoginItem> {
      const entry = await readAutostart(path)
      const problem =
        entry && !entry.isOurs
          ? 'foreign'
          : entry?.isOn && entry.command[0] !== launcher
            ? 'elsewhere'
            : null
      return {
        supported: problem !== 'foreign',
        problem,
        openAtLogin: entry?.isOurs === true && entry.isOn,
        startHidden: entry?.isOurs && entry.isOn ? entry.command.includes(HIDDEN) : null,
        path,
      }
    },
    async writeLoginItem({ openAtLogin, startHidden }) {
      const entry = await readAutostart(path)
      if (entry && !entry.isOurs) {
        throw new GatewayError('conflict', {
          message: `${path} was not written by Switchyard, so it was not changed. Remove or rename it first.`,
          reason: { code: 'login_item_foreign', path },
        })
      }
      try {
        if (openAtLogin) {
          await writeAutostart(path, [launcher, ...argumentsOf(place, startHidden)])
        } else await removeAutostart(path)
      } catch (cause) {
        throw new GatewayError('conflict', {
          message: `${path} cannot be changed: ${(cause as Error).message}`,
          cause,
          reason: { code: 'login_item_unwritable', path, problem: (cause as Error).message },
        })
      }
    },
  }
}

/**
 * Windows: a value in the registry's Run key. Whether it holds is read without regard to the arguments, and to
 * what the Task Manager says of it (`executableWillLaunchAtLogin`).
 */
function windowsItem(place: LoginItemPlace): LoginItems {
  const { app, program } = place
  return {
    async readLoginItem(): Promise<LoginItem> {
      const { executableWillLaunchAtLogin, launchItems } = app.getLoginItemSettings({
        // In quotes, or Electron takes what stands before the first space for the program.
        path: `"${program}"`,
      })
      const own = launchItems.find(
        ({ path, enabled }) => enabled && path.toLowerCase() === program.toLowerCase(),
      )
      return {
        supported: true,
        problem: null,
        openAtLogin: executableWillLaunchAtLogin,
        startHidden: own ? own.args.includes(HIDDEN) : null,
        path: null,
      }
    },
    async writeLoginItem({ openAtLogin, startHidden }) {
      app.setLoginItemSettings({
        openAtLogin,
        // A name of its own: the default one changes with the model id that notifications need.
        name: 'Switchyard',
        path: program,
        args: argumentsOf(place, startHidden),
      })
    },
  }
}

/** macOS: the system's own list; it takes no arguments, so that the option says whether there is a window. */
function macItem({ app }: LoginItemPlace): LoginItems {
  return {
    async readLoginItem(): Promise<LoginItem> {
      const { openAtLogin, status } = app.getLoginItemSettings()
      return {
        supported: true,
        problem: status === 'requires-approval' ? 'approval' : null,
        openAtLogin,
        startHidden: null,
        path: null,
      }
    },
    async writeLoginItem({ openAtLogin }) {
      app.setLoginItemSettings({ openAtLogin })
    },
  }
}

/** Run from source Electron would be started without the app, so that nothing is offered. */
const developmentItem: LoginItems = {
  readLoginItem: async () => ({
    supported: false,
    problem: 'development',
    openAtLogin: false,
    startHidden: null,
    path: null,
  }),
  async writeLoginItem() {
    throw new GatewayError('conflict', {
      message: 'Switchyard runs from source. Only an installed app can start at login.',
      reason: { code: 'login_item_from_source' },
    })
  },
}

/** Starting at login. What the operating system says is what holds; nothing of it is kept elsewhere. */
export function loginItemOf(place: LoginItemPlace): LoginItems {
  if (!place.app.isPackaged) return developmentItem
  if (place.platform === 'linux') return linuxItem(place)
  return place.platform === 'win32' ? windowsItem(place) : macItem(place)
}
