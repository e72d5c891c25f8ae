import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type BrowserWindow, type Rectangle, screen } from 'electron'
import type { Log } from '../base/log/log.ts'

/** Milliseconds after the last move or change of size; a drag is hundreds of them. */
const SETTLED = 500
/** Pixels of a window that must lie on a display, so that it can be taken hold of. */
const LEAST_WIDTH = 120
const LEAST_HEIGHT = 60

export interface WindowBounds extends Rectangle {
  isMaximized: boolean
}

/** Where the window was, if some display still shows that place. `path` is the file that keeps it. */
export function readBounds(path: string): WindowBounds | undefined {
  const bounds = parse(path)
  if (!bounds) return undefined
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
  return areas.some((area) => isWithinReach(bounds, area)) ? bounds : undefined
}

/** Keeps where the window is, from now until it is gone. */
export function keepBounds(window: BrowserWindow, path: string, log: Log): void {
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    const bounds: WindowBounds = { ...window.getNormalBounds(), isMaximized: window.isMaximized() }
    try {
      writeFileSync(`${path}.new`, JSON.stringify(bounds), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    } catch (error) {
      log.warn({ err: error }, 'the window bounds could not be saved')
    }
  }
  const saveSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(save, SETTLED)
  }
  window.on('move', saveSoon)
  window.on('resize', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('close', save)
  window.on('closed', () => clearTimeout(timer))
}

function parse(path: string): WindowBounds | undefined {
  try {
    const { x, y, width, height, isMaximized } = JSON.parse(readFileSync(path, 'utf8'))
    const isWhole = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0
    return isWhole ? { x, y, width, height, isMaximized: isMaximized === true } : undefined
  } catch {
    // There is none yet, or it is not ours: the window then opens where the system puts it.
    return undefined
  }
}

/** The title bar is at the top: a window that hangs over the upper edge cannot be moved. */
function isWithinReach({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const shown = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  const isOnTop = y >= area.y && y + LEAST_HEIGHT <= area.y + area.height
  return isOnTop && shown >= Math.min(LEAST_WIDTH, width)
}
