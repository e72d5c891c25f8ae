import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { run, runPackage } from './run.mjs'

/** The one without windows comes first: with it the page tests take a quarter less. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

const fixedPaths = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) =>
    process.env[name] ? [join(process.env[name], 'Google/Chrome/Application/chrome.exe')] : [],
  ),
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of an installed Chromium or Chrome, or null; `CHROMIUM_PATH` names one. */
function findInstalled() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...(fixedPaths[process.platform] ?? [])].find(isExecutable) ?? null
}

/** Playwright's own Chromium, when it has been downloaded. */
function findPlaywright() {
  const path = createRequire(import.meta.url)('playwright').chromium.executablePath()
  return existsSync(path) ? path : null
}

const canUseApt = () =>
  process.platform === 'linux' && process.getuid() === 0 && existsSync('/etc/debian_version')

/**
 * A browser for the page tests: an installed Chromium, else Playwright's own, else Debian's package,
 * else Playwright's download. Null where none of them can be had. Needs the installed packages.
 */
export async function obtainBrowser() {
  const present = findInstalled() ?? findPlaywright()
  if (present) return present
  console.error('Installing a browser for the page tests (once)…')
  if (canUseApt()) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const args = ['install', '-y', '-qq', '--no-install-recommends', name]
      if ((await run('apt-get', args, { env })) === 0 && findInstalled()) return findInstalled()
    }
  }
  await runPackage('playwright/cli.js', ['install', 'chromium'], { timeout: 5 * 60 * 1000 })
  return findPlaywright()
}
