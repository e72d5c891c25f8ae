import { spawn, spawnSync } from 'node:child_process'
import type { ExportKind } from '../../../../main/inspect/export/export-call.ts'

/** Output and exit code of a script. */
export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

const root = `${import.meta.dirname}/../../../..`

/** Python, where it has the vendors' SDKs. */
export const PYTHON = process.env.SDK_PYTHON ?? 'python3'

export const hasPythonSdks =
  spawnSync(PYTHON, ['-c', 'import openai, anthropic, google.genai']).status === 0

const programs: Partial<Record<ExportKind, [string, string[]]>> = {
  curl: ['bash', ['-s']],
  typescript: [process.execPath, ['--input-type=module', '-']],
  python: [PYTHON, ['-']],
}

/** Runs an exported call as its reader would, with the token in the environment. */
export function runExport(as: ExportKind, text: string, token: string): Promise<Ran> {
  const [program, given] = programs[as] ?? []
  if (!program || !given) throw new Error(`nothing runs ${as}`)
  return new Promise((resolve) => {
    const env = { ...process.env, SWITCHYARD_TOKEN: token, PYTHONIOENCODING: 'utf-8' }
    const child = spawn(program, given, { cwd: root, env })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.end(text)
  })
}
