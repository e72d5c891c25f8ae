import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'

interface Status {
  disk: { count: number; bytes: number }
  problem: string | null
}

test('after a SIGKILL the captures of finished calls are there, and the file opens', async () => {
  const first = await runGateway()
  const owner = await setUpOwner(first.url)
  await owner.addChannel({ name: 'echo', type: 900, key: '', models: 'echo' })
  await owner.ask('PUT', '/api/option/', { key: 'CaptureLevel', value: 'all' })
  const token = await owner.addToken('test')
  const say = (content: string) =>
    fetch(`${first.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
    }).then((response) => response.text())
  for (let calls = 0; calls < 20; calls++) await say(`finished call ${calls}`)
  const finished = () => owner.ask<Status>('GET', '/api/captures')
  await expect.poll(async () => (await finished()).disk.count).toBe(20)
  // These may or may not have come to the disk.
  for (let calls = 0; calls < 20; calls++) void say('under way').catch(() => {})
  await first.stop('SIGKILL')

  const { dataFolder } = first
  for (const name of readdirSync(dataFolder).filter((one) => one.startsWith('captures')))
    expect(readFileSync(join(dataFolder, name), 'latin1')).not.toContain('finished call')
  const second = await runGateway({ dataFolder })
  const status = await (await signInOwner(second.url)).ask<Status>('GET', '/api/captures')
  expect(status.disk.count).toBeGreaterThanOrEqual(20)
  expect(status.problem).toBeNull()
  await second.stop('SIGTERM')
  expect(readdirSync(dataFolder)).not.toContain('captures.db.damaged')
})
