import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEBIBYTE = 1024 * 1024

const fillYoung = new URL('fill-young-generation.ts', import.meta.url)
const fillOld = new URL('fill-old-generation.ts', import.meta.url)

/** The number that a script prints first, in a process of its own. */
async function printedBy(script: URL): Promise<number> {
  const args = ['--import', 'tsx', fileURLToPath(script)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout.split(' ')[0])
}

test('a process whose young generation is small has room for calls again when they come', async () => {
  expect(await printedBy(fillYoung)).toBeGreaterThanOrEqual(16 * MEBIBYTE)
})

test('what calls have left behind does not come to several times what is in use', async () => {
  expect(await printedBy(fillOld)).toBeLessThan(5)
})
