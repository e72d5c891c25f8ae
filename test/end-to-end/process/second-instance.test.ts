import { expect, test } from 'vitest'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'

test('a second process on a data folder ends with the pid and address of the first', async () => {
  const first = await runGateway()
  const owner = await setUpOwner(first.url)
  const second = await runGateway({ dataFolder: first.dataFolder })
  expect(await second.exited).toMatchObject({ code: 1 })
  expect(second.stdout()).toBe('')
  expect(second.stderr()).toContain(first.dataFolder)
  expect(second.stderr()).toContain(`process ${first.pid}, at ${first.url}`)
  expect(second.stderr()).toContain('--data-dir')
  // The first one did not notice.
  await owner.addToken('after')
  expect(await first.stop()).toMatchObject({ code: 0 })
  expect((await runGateway({ dataFolder: first.dataFolder })).url).not.toBe('')
})

test('of two processes that start at once on a new folder exactly one takes it', async () => {
  const { dataFolder, stop } = await runGateway()
  await stop()
  const both = await Promise.all([runGateway({ dataFolder }), runGateway({ dataFolder })])
  const ready = both.filter(({ url }) => url !== '')
  expect(ready).toHaveLength(1)
  const refused = both.find(({ url }) => url === '')
  expect(await refused?.exited).toMatchObject({ code: 1 })
  expect(refused?.stderr()).toContain(`process ${ready[0]?.pid}`)
})

test('the lock of a process that was killed stands in nobody’s way', async () => {
  const first = await runGateway()
  expect(await first.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
  const next = await runGateway({ dataFolder: first.dataFolder })
  expect(next.stderr()).toBe('')
  expect((await fetch(`${next.url}/api/status`)).status).toBe(200)
})
