import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { at, run, runPackage } from './run.mjs'

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(at(path), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Does node_modules hold what package-lock.json asks for? npm writes the second file when, and only
 * when, it has installed everything, so a broken or older installation shows here.
 */
export function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      // Left out on other systems: what is made for one platform, and what only such parts need.
      entry.optional ||
      entry.devOptional ||
      installed[path]?.version === entry.version,
  )
}

/** Resolves with npm's exit code; 0 at once when nothing is to be done. */
export async function install() {
  if (isInstalled()) return 0
  const packages = at('node_modules')
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      `node_modules leads to ${realpathSync(packages)}, whose packages aren't those of package-lock.json. npm would delete them there. Remove the link, then start again.`,
    )
    return 1
  }
  console.error('Installing packages (once)…')
  // No part needs its install script: prebuilt binaries are in the packages themselves.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...args])
  if (process.platform === 'win32') return run('cmd.exe', ['/d', '/s', '/c', 'npm', ...args])
  return run('npm', args)
}

const sources = ['main', 'preload', 'renderer']
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']
const stamp = at('dist/.sources')

/** One hash over the names and contents of everything that the build is made of. */
function hashSources() {
  const hash = createHash('sha256')
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(at(path)))
      .update('\0')
  const walk = (folder) => {
    const entries = readdirSync(at(folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else add(path)
    }
  }
  for (const folder of sources) walk(folder)
  for (const file of settings) add(file)
  return hash.digest('hex')
}

export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources()

/** Builds into dist when the sources are not what dist was built from; resolves with the exit code. */
export async function build() {
  if (isBuilt()) return 0
  console.error('Building…')
  const hash = hashSources()
  rmSync(stamp, { force: true })
  const code = await runPackage('vite/bin/vite.js', ['build', '--app', '--logLevel', 'warn'], {
    env: { NODE_ENV: 'production' },
  })
  // The hash of what was there when the build began: an edit made meanwhile counts as newer.
  if (code === 0) writeFileSync(stamp, hash)
  return code
}

/** Installs and builds as far as needed; ends the process when that fails. */
export async function prepare() {
  const failure = (await install()) || (await build())
  if (failure === 0) return
  console.error('Switchyard could not be prepared: the lines above say why.')
  process.exit(1)
}
