import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { at, runPackage } from './run.mjs'

const DAY = 24 * 60 * 60 * 1000
const memory = at('.cache/electron.json')

const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/** Path of a real Electron's executable, or null where there is none. */
export function findElectron() {
  const pathFile = at('node_modules/electron/path.txt')
  const name = existsSync(pathFile)
    ? readFileSync(pathFile, 'utf8').trim()
    : (names[process.platform] ?? 'electron')
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? at('node_modules/electron/dist')
  const path = join(folder, name)
  return existsSync(path) ? path : null
}

const version = () => createRequire(import.meta.url)('electron/package.json').version

function failedLately() {
  try {
    const { failedAt, failedVersion } = JSON.parse(readFileSync(memory, 'utf8'))
    return failedVersion === version() && Date.now() - failedAt < DAY
  } catch {
    return false
  }
}

/** Can the place that Electron is downloaded from be reached at all? Answers within five seconds. */
async function isReachable() {
  // Behind a proxy or with a mirror of one's own only the installer knows the way.
  if (process.env.ELECTRON_GET_USE_PROXY || process.env.ELECTRON_MIRROR) return true
  try {
    await fetch('https://github.com/electron/electron/releases', {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(5000),
    })
    return true
  } catch {
    return false
  }
}

/**
 * The executable of Electron, downloaded when it is not there yet. A failure is remembered for a day,
 * so that only one start waits for it; null then.
 */
export async function obtainElectron() {
  const present = findElectron()
  if (present || process.env.ELECTRON_SKIP_BINARY_DOWNLOAD || failedLately()) return present
  if (await isReachable()) {
    console.error('Downloading Electron (once)…')
    await runPackage('electron/install.js', [], { timeout: 10 * 60 * 1000 })
  }
  const path = findElectron()
  if (path === null) rememberFailure()
  return path
}

function rememberFailure() {
  try {
    mkdirSync(at('.cache'), { recursive: true })
    writeFileSync(memory, JSON.stringify({ failedVersion: version(), failedAt: Date.now() }))
  } catch {
    // The project may belong to another user: then the next start tries again.
  }
}
