import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { projectFolder } from '../support/gateway/gateway-command.ts'

export interface StartedChild {
  /** From the first line that names one. */
  url: string
  pid: number
  /** Ends it with SIGTERM, and after ten seconds for good; gives its exit code. */
  stop(): Promise<number | null>
}

/** Starts node on a file and waits until it says at which URL it is. */
export async function startChild(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<StartedChild> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  if (!child.stdout) throw new Error('The child has no stdout.')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (!url) continue
    child.stdout.resume()
    return {
      url,
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGTERM')
        const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
        const [code] = (await gone) as [number | null]
        clearTimeout(force)
        return code
      },
    }
  }
  throw new Error(`${args.join(' ')} did not start.`)
}
