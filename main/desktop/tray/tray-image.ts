import { join } from 'node:path'
import { app, type NativeImage, nativeImage } from 'electron'

/**
 * The picture in the tray or menu bar, as each system wants it. macOS colours a template image for its menu
 * bar, which its file's name asks for; Windows picks the size out of an icon; Linux draws what it gets. The
 * picture for two pixels a point (`@2x`) is found by Electron beside the plain one.
 *
 * The files lie under the same path in the project and in its archive.
 */
export function trayImage(platform: NodeJS.Platform = process.platform): NativeImage {
  const folder = join(app.getAppPath(), 'main', 'desktop', 'tray-icons')
  return nativeImage.createFromPath(join(folder, fileOf(platform)))
}

function fileOf(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'trayTemplate.png'
  return platform === 'win32' ? 'tray.ico' : 'tray.png'
}
