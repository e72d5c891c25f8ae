import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../main/base/log/log.ts'
import { ConsoleWindow } from '../../../main/desktop/console-window.ts'
import { desktopTexts } from '../../../main/desktop/desktop-texts.ts'
import { readBounds } from '../../../main/desktop/window-bounds.ts'
import { BrowserWindow } from './quick-window.ts'

vi.mock('electron', () => import('./quick-window.ts'))

let folder: string
let isBusy: boolean
let shown: ConsoleWindow

beforeEach(() => {
  vi.useFakeTimers()
  folder = mkdtempSync(join(tmpdir(), 'switchyard-window-'))
  isBusy = false
  shown = new ConsoleWindow({
    preload: '/preload.js',
    boundsFile: join(folder, 'window.json'),
    isQuitting: () => false,
    isBusy: () => isBusy,
    onMade: () => {},
    texts: desktopTexts('en-US'),
    log: createLog('silent'),
  })
  shown.show()
})

afterEach(() => {
  shown.destroy()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const latest = () => BrowserWindow.all.at(-1) as BrowserWindow

test('a window that was minimized is there again when it is opened from the tray', () => {
  latest().isSmall = true
  shown.show()
  expect(latest().isSmall).toBe(false)
})

test('a hidden page that was at work is let go once it is done', async () => {
  isBusy = true
  shown.hide()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(shown.current).toBeDefined()
  isBusy = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(shown.current).toBeUndefined()
})

test('crashes of more than a minute ago don’t keep a page from being loaded anew', async () => {
  const { webContents } = latest()
  for (let time = 1; time <= 5; time++) {
    webContents.crash()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(webContents.isCrashed()).toBe(false)
  }
})

test('a drag writes down once where the window was put', () => {
  for (let x = 1; x <= 300; x++) {
    latest().bounds = { x, y: 40, width: 1000, height: 700 }
    latest().emit('move')
  }
  vi.advanceTimersByTime(2000)
  expect(latest().boundsRead).toBe(1)
  expect(JSON.parse(readFileSync(join(folder, 'window.json'), 'utf8'))).toMatchObject({ x: 300 })
})

test('a window of which a sliver is on a display opens where it can be taken hold of', () => {
  const path = join(folder, 'window.json')
  const at = (x: number) => {
    writeFileSync(path, JSON.stringify({ x, y: 40, width: 1000, height: 700, isMaximized: false }))
    return readBounds(path)?.x
  }
  expect(at(-995)).toBeUndefined()
  expect(at(1915)).toBeUndefined()
  expect(at(-880)).toBe(-880)
  expect(at(1800)).toBe(1800)
})
