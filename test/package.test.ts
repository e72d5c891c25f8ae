import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extractAll, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'switchyard-package-'))
const unpacked = join(work, 'release', 'linux-unpacked')
const archive = join(unpacked, 'resources', 'app.asar')
const enabledByte = '1'.charCodeAt(0)

/**
 * A binary that is Electron's only in what packing looks at: the fuse wire, which is a sentinel, the
 * wire's version 1, and nine fuses, all in the state in which Electron ships them.
 */
function writeStubElectron(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'))
  const wire = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09101100011')
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('stub\0'), wire]), {
    mode: 0o755,
  })
}

beforeAll(async () => {
  if (!existsSync(join(root, 'dist/main/desktop.js'))) throw new Error('Run `npm run build` first')
  const stub = join(work, 'electron')
  writeStubElectron(stub)
  const builder = createRequire(import.meta.url).resolve('electron-builder/cli.js')
  await run(
    process.execPath,
    [
      builder,
      '--linux',
      'dir',
      '--x64',
      '--publish',
      'never',
      `-c.electronDist=${stub}`,
      `-c.directories.output=${join(work, 'release')}`,
    ],
    // A proxy that is not there: whoever asks the network for anything fails.
    { cwd: root, env: { ...process.env, HTTPS_PROXY: 'http://127.0.0.1:9', CI: 'true' } },
  )
}, 120_000)

afterAll(() => rmSync(work, { recursive: true, force: true }))

describe('the packed application', () => {
  const files = () =>
    listPackage(archive, { isPack: false }).filter((path) => /\.[^/]*$|LICENSE$/.test(path))

  test('carries main, preload and console', () => {
    expect(files()).toEqual(
      expect.arrayContaining([
        '/dist/main/desktop.js',
        '/dist/preload/preload.cjs',
        '/dist/renderer/index.html',
        '/LICENSE',
        '/package.json',
      ]),
    )
  })

  test('carries nothing else: no sources, no tests, no maps, no packages that are in the bundle', () => {
    const wanted = [
      /^\/(package\.json|LICENSE)$/,
      /^\/dist\/main\/(?!headless)[\w.-]+\.js$/,
      /^\/dist\/preload\/preload\.cjs$/,
      /^\/dist\/renderer\/[\w./-]+\.(html|js|css|svg|png|woff2|json)$/,
      /^\/node_modules\/@photostructure\/sqlite\/(LICENSE|package\.json|dist\/index\.(c|m)js)$/,
      /^\/node_modules\/@photostructure\/sqlite\/prebuilds\/linux-x64\/[\w@+.-]+\.node$/,
      /^\/node_modules\/@photostructure$/,
      /^\/node_modules\/node-gyp-build(\/[\w-]+\.js|\/LICENSE|\/package\.json)?$/,
    ]
    const unwanted = files().filter((path) => !wanted.some((pattern) => pattern.test(path)))
    expect(unwanted).toEqual([])
  })

  test('names its entry, and neither scripts nor development packages', () => {
    const folder = join(work, 'extracted')
    extractAll(archive, folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'switchyard', main: 'dist/main/desktop.js' })
    expect(manifest.devDependencies).toBeUndefined()
    expect(manifest.scripts).toBeUndefined()
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'finds the SQLite addon with what travelled',
    async () => {
      const folder = join(work, 'runnable')
      extractAll(archive, folder)
      const script = `
        const { DatabaseSync } = require('@photostructure/sqlite')
        process.stdout.write(String(new DatabaseSync(':memory:').prepare('SELECT 6 * 7 AS n').get().n))
      `
      const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder })
      expect(stdout).toBe('42')
    },
  )

  test('has the fuses blown that would turn it into a plain Node', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'switchyard'))
    const enabled = Object.entries(wire)
      .filter(([index, state]) => index !== 'version' && state === enabledByte)
      .map(([index]) => FuseV1Options[Number(index)])
    expect(enabled).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      // The ninth fuse is newer than the names of @electron/fuses, and stays as Electron ships it.
      undefined,
    ])
  })
})
