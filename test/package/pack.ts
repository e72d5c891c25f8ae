import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Platform, writeStubElectron } from './write-stub-electron.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Packed {
  /** Everything that packing wrote lies in here. */
  work: string
  /** The folder that an installer would lay down. */
  unpacked: string
  /** Where app.asar lies. */
  resources: string
}

/** Packs the built application for `platform` over a stub of Electron, with the network out of reach. */
export async function pack(
  platform: Platform,
  { arch = 'x64', target = 'dir', env = {} }: { arch?: string; target?: string; env?: object } = {},
): Promise<Packed> {
  if (!existsSync(join(root, 'dist/main/desktop.js'))) throw new Error('Run `npm run build` first')
  const work = mkdtempSync(join(tmpdir(), `switchyard-package-${platform}-`))
  const stub = join(work, 'electron')
  writeStubElectron(stub, platform)
  const builder = createRequire(import.meta.url).resolve('electron-builder/cli.js')
  const release = join(work, 'release')
  await promisify(execFile)(
    process.execPath,
    [
      builder,
      `--${platform}`,
      target,
      `--${arch}`,
      '--publish',
      'never',
      `-c.electronDist=${stub}`,
      `-c.directories.output=${release}`,
    ],
    // A proxy that is not there: every request to the network fails.
    { cwd: root, env: { ...process.env, HTTPS_PROXY: 'http://127.0.0.1:9', CI: 'true', ...env } },
  )
  const suffix = arch === 'x64' ? '' : `-${arch}`
  if (platform === 'mac') {
    const app = join(release, `mac${suffix}`, 'Switchyard.app')
    return { work, unpacked: app, resources: join(app, 'Contents', 'Resources') }
  }
  const unpacked = join(release, `${platform}${suffix}-unpacked`)
  return { work, unpacked, resources: join(unpacked, 'resources') }
}
