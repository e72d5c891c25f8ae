import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { callOperation } from '../support/desktop/call-operation.ts'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { openSlowUpstream, type SlowUpstream } from '../support/upstreams/slow-upstream.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = temporaryFolder()
let desktop: Desktop
let upstream: SlowUpstream

afterEach(() => desktop?.close())
afterAll(() => {
  upstream?.close()
  folder.remove()
})

const launch = async () => {
  desktop = await launchDesktop({
    folder: folder.path,
    page: 'none',
    env: { STAND_IN_PLATFORM: 'win32', SWITCHYARD_DRAIN_SECONDS: '30' },
  })
}

test.skipIf(isRealElectron)(
  'Windows that shuts down finds the books kept: the call under way is in the next start’s list',
  async () => {
    await launch()
    upstream = await openSlowUpstream(desktop)
    const { answer } = await upstream.begin()
    await desktop
      .evaluate(({ app }) => {
        // The console's window may be gone by then: any window of the app is told.
        const { windows } = app as unknown as { windows: Set<NodeJS.EventEmitter> }
        for (const window of [...windows]) window.emit('session-end', { reasons: ['shutdown'] })
        // Windows ends the process right after that.
        process.kill(process.pid, 'SIGKILL')
      }, null)
      .catch(() => {})
    await desktop.exited
    await answer.catch(() => {})

    await launch()
    const calls = await callOperation(desktop, 'call.list', {})
    expect(JSON.stringify(calls)).toContain('gateway_ended')
  },
)
