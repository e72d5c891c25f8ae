import type { App } from 'electron'

/**
 * Makes this app the one that opens `switchyard://` links. Installers do so on macOS and Linux (`protocols` in
 * electron-builder.yml); on Windows the app writes it for its user. `--` keeps a link from passing as a flag.
 */
export function claimLinks(
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>,
  platform: NodeJS.Platform = process.platform,
): void {
  if (!app.isPackaged || platform !== 'win32') return
  app.setAsDefaultProtocolClient('switchyard', process.execPath, ['--'])
}
