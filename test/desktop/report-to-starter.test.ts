import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportToStarter } from '../../main/desktop/report-to-starter.ts'
import { callOperation } from '../support/desktop/call-operation.ts'
import {
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: { path: string; remove(): void }
let outcome: string

beforeEach(() => {
  folder = temporaryFolder()
  outcome = join(folder.path, 'outcome')
})

afterEach(() => folder.remove())

describe('npm start hears from the application', () => {
  const start = () =>
    launchDesktop({
      folder: folder.path,
      env: { SWITCHYARD_START_OUTCOME: outcome },
      page: 'none',
    })

  test('that it runs, once its window is there', async () => {
    const desktop = await start()
    await expect.poll(() => readFileSync(outcome, 'utf8')).toBe('running')
    await desktop.close()
  })

  // On Electron itself the box waits for a person.
  test.skipIf(isRealElectron)(
    'that it refuses, where a second start would meet the same',
    async () => {
      writeFileSync(join(folder.path, 'state.json'), '{ "version": 1, ')
      const desktop = await start()
      expect(await desktop.exited).toBe(1)
      expect(desktop.stderr()).toContain('state.json')
      expect(readFileSync(outcome, 'utf8')).toBe('refused')
    },
  )

  test('nothing where nobody waits', async () => {
    outcome = ''
    const desktop = await start()
    await callOperation(desktop, 'setup.status', {})
    await desktop.close()
    expect(existsSync('outcome')).toBe(false)
  })

  test('nothing any more once it has ended, which is no failure of the application', () => {
    outcome = join(folder.path, 'removed', 'outcome')
    reportToStarter('running', { SWITCHYARD_START_OUTCOME: outcome })
    expect(existsSync(outcome)).toBe(false)
  })
})
