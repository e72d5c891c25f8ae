import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Bytes; the tests use less than a tenth of it at a time. */
const ROOM = 2 * 1024 ** 3

const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

/**
 * The environment in which the tests' temporary files are in memory, where the system has room there: the gateway
 * waits for a disk with each ledger that it opens, and the tests open thousands. The folder is gone when this
 * process ends.
 */
export function testEnvironment() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return {}
  const folder = mkdtempSync(join(MEMORY, 'switchyard-test-'))
  // As /tmp: some tests run programs as another user.
  chmodSync(folder, 0o1777)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { TMPDIR: folder }
}
