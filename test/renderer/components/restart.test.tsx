import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import { afterAll, expect, test, vi } from 'vitest'
import { createLog } from '../../../main/base/log/log.ts'
import { startGateway } from '../../../main/gateway.ts'
import { openConfFile } from '../../../main/store/state/conf-file.ts'
import { liveClient } from '../../support/gateway/live-client.ts'
import { startTestGateway } from '../../support/gateway/start-test-gateway.ts'
import { renderConsole } from '../render-console.tsx'

const dataFolder = mkdtempSync(join(tmpdir(), 'switchyard-restart-'))
afterAll(() => {
  vi.unstubAllGlobals()
  rmSync(dataFolder, { recursive: true, force: true })
})

test('a page that could not be loaded during a short restart shows itself, without a click', async () => {
  const gateway = await startTestGateway({ dataFolder })
  gateway.addToken({ name: 'Editor' })
  const user = renderConsole(await liveClient(gateway), '/redeem')
  await screen.findByRole('heading', { level: 1 })
  await screen.findByText('running')
  await gateway.close()
  await user.click(screen.getByRole('link', { name: 'Connect' }))
  await user.click(await screen.findByText('Tokens'))
  await screen.findAllByText(/^The gateway does not answer/)
  const again = await startGateway({
    ...{ host: '127.0.0.1', port: Number(new URL(gateway.url).port), portIsNamed: true },
    ...{ dataFolder, rendererFolder: dataFolder, openStateFile: openConfFile, env: {} },
    log: createLog('silent'),
  })
  expect(await screen.findByRole('button', { name: 'Editor' })).toBeTruthy()
  expect(screen.queryByText(/^The gateway does not answer/)).toBeNull()
  await again.close()
})
