import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Absolute path of a file of the project; of its folder without an argument. */
export const at = (path = '') => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Exit code that a shell reports for a child that ended with `code` or by `signal`. */
const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0)

/**
 * Runs a command to its end and resolves with its exit code. Its stdout goes to our stderr unless
 * `stdout` says otherwise, so that preparing never writes where an answer is expected.
 */
export function run(command, args, { stdout = 2, env, timeout, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: at(),
      env: { ...process.env, ...env },
      stdio: quiet ? 'ignore' : ['ignore', stdout, 2],
      timeout,
      killSignal: 'SIGKILL',
    })
    child.on('error', (error) => {
      if (!quiet) console.error(`${command} could not be started: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => resolve(exitCode(code, signal)))
  })
}

/** `run` of a script of an installed package with this very Node, e.g. `vite/bin/vite.js`. */
export const runPackage = (script, args, options) =>
  run(process.execPath, [at(`node_modules/${script}`), ...args], options)

/** Hands our signals to `child` and ends as it ends, unless `onExit` does something else. */
export function follow(child, onExit = (code) => process.exit(code)) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal's Ctrl-C has reached the child already; twice could mean something else to it.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`Switchyard could not be started: ${error.message}`)
    onExit(127, null)
  })
  child.on('exit', (code, signal) => onExit(exitCode(code, signal), signal))
}

/**
 * Stops this process when the shell that npm put between us is gone: npm ends that shell on a signal,
 * and the shell does not hand the signal on (npm 10 and 11, where sh is dash).
 */
export function stopWithParent(script) {
  if (process.env.npm_lifecycle_event !== script) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}
