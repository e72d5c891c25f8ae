import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Who listens on a TCP port of this machine, for a message: `node (process 812)`. Null when that cannot
 * be known: another user's process, or a platform that is not asked.
 */
export function portHolder(port: number): string | null {
  try {
    if (process.platform === 'linux') return holderOnLinux(port)
    if (process.platform === 'darwin') return holderByLsof(port)
  } catch {
    // The message does without.
  }
  return null
}

/** https://man7.org/linux/man-pages/man5/proc_pid_net.5.html: state 0A listens, column 9 is the inode. */
function holderOnLinux(port: number): string | null {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of linesOf(table)) {
      const columns = line.trim().split(/\s+/)
      if (columns[1]?.endsWith(ending) && columns[3] === '0A') sockets.add(`socket:[${columns[9]}]`)
    }
  }
  if (sockets.size === 0) return null
  for (const pid of readdirSync('/proc')) {
    if (/^\d+$/.test(pid) && opensOf(pid).some((target) => sockets.has(target))) {
      return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
    }
  }
  return null
}

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Sockets that a process has open; none for another user's process, or one that has ended. */
function opensOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
  } catch {
    return []
  }
}

/** `-F pc` prints `p<pid>` and `c<command>`, one a line. */
function holderByLsof(port: number): string | null {
  const flags = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']
  const text = execFileSync('lsof', flags, { encoding: 'utf8', timeout: 2000, stdio: 'pipe' })
  const pid = /^p(\d+)$/m.exec(text)?.[1]
  const command = /^c(.+)$/m.exec(text)?.[1]
  return pid && command ? `${command} (process ${pid})` : null
}
