import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEBIBYTE = 1024 * 1024
const script = fileURLToPath(new URL('fill-young-generation.ts', import.meta.url))

test('a process whose young generation is small has room for calls again when they come', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script])
  expect(Number(stdout) / MEBIBYTE).toBeGreaterThanOrEqual(16)
}, 60_000)
