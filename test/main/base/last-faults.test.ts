import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const base = join(import.meta.dirname, '../../../main/base')

/** Runs this code in a process of its own that catches its last faults. */
function run(code: string) {
  const program = `
    import { createLog } from ${JSON.stringify(join(base, 'log/log.ts'))}
    import { catchLastFaults } from ${JSON.stringify(join(base, 'log/last-faults.ts'))}
    catchLastFaults(createLog('warn'), async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      console.log('settled')
    })
    ${code}`
  const flags = ['--import', 'tsx', '--input-type=module', '-e', program]
  return spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 60_000 })
}

test('a rejection that nobody listens to is logged, and all goes on', { timeout: 90_000 }, () => {
  const { status, stdout, stderr } = run(`
    Promise.reject(new Error('nobody listens', { cause: new Error('a deeper reason') }))
    setTimeout(() => console.log('still there'), 100)`)
  expect(stdout).toBe('still there\n')
  expect(status).toBe(0)
  const [line] = stderr.trim().split('\n')
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 50,
    err: { message: expect.stringMatching(/nobody listens.*a deeper reason/) },
  })
})

test('an uncaught exception is logged once, what there is is settled, and the end is 1', {
  timeout: 90_000,
}, () => {
  const { status, stdout, stderr } = run(`
    setInterval(() => { throw new Error('thrown past everything') }, 10)`)
  expect(stdout).toBe('settled\n')
  expect(status).toBe(1)
  expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
    level: 60,
    err: { stack: expect.stringContaining('thrown past everything') },
  })
})
