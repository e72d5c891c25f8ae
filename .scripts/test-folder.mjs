import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = /^switchyard-test-(\d+)-/
/** Bytes; the tests use less than a tenth of it at a time. */
const ROOM = 2 * 1024 ** 3

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A folder that can't be removed must not fail a run that is over. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {}
}

/** Removes the folders of runs that were killed. */
function removeLeft() {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) remove(join(MEMORY, name))
  }
}

/** A new folder in memory; null where there is no room, or nothing can be written or run there. */
function folderInMemory() {
  let folder = null
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < ROOM) return null
    removeLeft()
    folder = mkdtempSync(join(MEMORY, `switchyard-test-${process.pid}-`))
    // As /tmp: some tests run programs as another user.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    execFileSync(program)
    return folder
  } catch {
    if (folder !== null) remove(folder)
    return null
  }
}

/**
 * Environment that puts the tests' temporary files in memory; empty if the system can't. The tests open thousands of
 * ledgers, and on a disk each one waits. The folder is removed when this process ends.
 */
export function testEnvironment() {
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : null
  if (folder === null) return {}
  process.on('exit', () => remove(folder))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return { TMPDIR: folder }
}
