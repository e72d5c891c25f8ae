import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../folder/temp-folder.ts'

/** A file system of its own that holds `size` bytes, or null where we may not mount one. */
export function smallDisk(size: number): string | null {
  const folder = tempFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}
