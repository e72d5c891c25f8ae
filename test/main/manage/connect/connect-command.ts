import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { projectFolder } from '../../../support/gateway/gateway-command.ts'
import type { Management } from '../management.ts'

export interface Printed {
  code: number | null
  stdout: string
  stderr: string
}

const endOf = (child: ChildProcess, input: string): Promise<Printed> =>
  new Promise((resolve) => {
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text
      })
    }
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.once('close', (code) => resolve({ code, ...printed }))
  })

/** `npm run connect -- ARGS` without npm, and with nothing of this environment but PATH. */
export function runConnect(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Printed> {
  const script = join(projectFolder, '.scripts/connect.mjs')
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return endOf(child, input)
}

/** The same for a gateway that runs, found by its data folder; for another user's home, if one is given. */
export const connectTo =
  ({ gateway, home }: Pick<Management, 'gateway'> & { home?: string }) =>
  (args: string, input = ''): Promise<Printed> => {
    const { dataFolder, machine } = gateway.parts
    const env = { SWITCHYARD_DATA_DIR: dataFolder, HOME: home ?? machine.home }
    return runConnect(args.split(' '), env, input)
  }
