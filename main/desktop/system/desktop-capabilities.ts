import { homedir } from 'node:os'
import { app, shell } from 'electron'
import type { DesktopCapabilities } from '../../manage/desktop/desktop-capabilities.ts'
import type { Options } from '../../options.ts'
import { flagsAtLogin } from './flags-at-login.ts'
import { loginItemOf } from './login-item.ts'

/** The desktop's abilities, for the operations of its settings. */
export const desktopCapabilities = (
  options: Options,
  readLink: DesktopCapabilities['readLink'],
): DesktopCapabilities => ({
  ...loginItemOf({
    app,
    platform: process.platform,
    env: process.env,
    home: homedir(),
    program: process.execPath,
    flags: flagsAtLogin(process.argv, process.env, options),
  }),
  openFolder: (path) => shell.openPath(path),
  readLink,
})
