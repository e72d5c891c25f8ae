import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Absolute path of the project. */
export const projectFolder = join(import.meta.dirname, '../../..')
/** The gateway as `npm run build` makes it. */
export const builtEntry = join(projectFolder, 'dist/main/headless.js')

function newestSource(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile())
      newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return newest
}

/** The built gateway when it is not older than its sources, which starts much faster than those do. */
export function gatewayCommand(): string[] {
  const isBuilt =
    existsSync(builtEntry) &&
    statSync(builtEntry).mtimeMs >= newestSource(join(projectFolder, 'main'))
  return isBuilt ? [builtEntry] : ['--import', 'tsx', join(projectFolder, 'main/headless.ts')]
}
