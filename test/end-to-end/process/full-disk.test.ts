import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { smallDisk } from '../../main/store/ledger/small-disk.ts'
import { callModel } from '../../support/clients/model-call.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { type OwnerClient, setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

const MEBIBYTE = 1024 * 1024
const NO_MOUNT = 'a small disk can only be made by root on Linux'

/** Takes what room the disk has left, to the last page. */
function fill(path: string): void {
  for (let size = MEBIBYTE; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size, 1), { flag: 'a' })
    } catch {
      // A smaller piece may still fit.
    }
  }
}

async function rowCount(owner: OwnerClient): Promise<number> {
  return (await owner.ask<{ total: number }>('GET', '/api/log/')).total
}

const ledgerProblem = async (owner: OwnerClient): Promise<string | null> =>
  (await owner.ask<{ ledger_problem: string | null }>('GET', '/api/server')).ledger_problem

test('on a full disk calls go on, changes are refused whole, and all is well again with room', async (context) => {
  const disk = smallDisk(8 * MEBIBYTE)
  if (!disk) return context.skip(NO_MOUNT)
  const upstream = await startUpstream(vendorReply)
  onTestFinished(() => upstream.close())
  const dataFolder = join(disk, 'data')
  const gateway = await runGateway({ dataFolder })
  const { url } = gateway
  const owner = await setUpOwner(url)
  const channel = await owner.addChannel({ base_url: upstream.url, models: 'chat-model' })
  const key = await owner.addToken()
  const call = async (stream: boolean): Promise<void> => {
    const one = callModel(url, key, { stream })
    await one.over
    expect(one).toMatchObject({ status: 200, isWhole: true })
  }
  await call(false)
  const stateFile = join(dataFolder, 'state.json')
  const state = readFileSync(stateFile, 'utf8')
  const filler = join(disk, 'filler')
  fill(filler)

  for (const [method, path, body] of [
    [
      'POST',
      '/api/channel/',
      { mode: 'single', channel: { type: 900, name: 'Echo', models: 'echo' } },
    ],
    ['PUT', '/api/channel/', { id: channel, name: 'renamed' }],
    ['DELETE', `/api/channel/${channel}`, undefined],
    ['POST', '/api/token/', { name: 'more' }],
    ['PUT', '/api/option/', { key: 'SystemName', value: 'Renamed' }],
  ] as const) {
    const answer = await owner.try(method, path, body)
    expect(answer).toMatchObject({ status: 507, success: false, code: 'storage_failed' })
    expect(answer.message).toMatch(/Nothing was saved.*state\.json.*room/)
  }
  expect(readFileSync(stateFile, 'utf8')).toBe(state)
  const channels = await owner.ask<{ items: object[] }>('GET', '/api/channel/')
  expect(channels.items).toMatchObject([{ id: channel, name: 'vendor' }])

  // Until the ledger has no room left either, however much its log had kept.
  let made = 1
  while ((await ledgerProblem(owner)) === null && made < 2000) {
    for (const stream of [false, true]) await call(stream)
    made += 2
  }
  expect(await ledgerProblem(owner)).toMatch(/ledger\.db cannot be written.*rows wait.*room/)
  for (let index = 0; index < 10; index++) await call(index % 2 === 0)
  made += 10
  expect(await rowCount(owner)).toBeLessThan(made)

  rmSync(filler)
  await owner.ask('PUT', '/api/channel/', { id: channel, name: 'renamed' })
  for (let tries = 0; tries < 200 && (await ledgerProblem(owner)) !== null; tries++) {
    await sleep(200)
  }
  expect(await ledgerProblem(owner)).toBeNull()
  expect(await rowCount(owner)).toBe(made)
  await call(true)
  expect(await gateway.stop()).toMatchObject({ code: 0 })

  const next = await runGateway({ dataFolder })
  const nextOwner = await signInOwner(next.url)
  expect(await rowCount(nextOwner)).toBe(made + 1)
  const { items } = await nextOwner.ask<{ items: object[] }>('GET', '/api/channel/')
  expect(items).toMatchObject([{ id: channel, name: 'renamed' }])
})

test('a first start without room says so and leaves nothing half', async (context) => {
  const disk = smallDisk(MEBIBYTE)
  if (!disk) return context.skip(NO_MOUNT)
  const filler = join(disk, 'filler')
  fill(filler)
  const dataFolder = join(disk, 'data')
  const gateway = await runGateway({ dataFolder })
  expect(gateway.stdout()).toBe('')
  expect(await gateway.exited).toMatchObject({ code: 1 })
  expect(gateway.stderr()).toMatch(/ENOSPC|full/)
  expect(gateway.stderr()).toContain(dataFolder)
  expect(gateway.stderr()).not.toMatch(/^ +at /m)
  rmSync(filler)
  expect((await runGateway({ dataFolder })).url).not.toBe('')
})

test('a data folder on a read-only disk ends the start with a sentence', async (context) => {
  const disk = smallDisk(8 * MEBIBYTE)
  if (!disk) return context.skip(NO_MOUNT)
  const dataFolder = join(disk, 'data')
  const first = await runGateway({ dataFolder })
  await setUpOwner(first.url)
  await first.stop()
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const gateway = await runGateway({ dataFolder })
  expect(gateway.stdout()).toBe('')
  expect(await gateway.exited).toMatchObject({ code: 1 })
  expect(gateway.stderr()).toMatch(/data folder .* cannot be used .*--data-dir/)
  expect(gateway.stderr()).not.toMatch(/^ +at /m)
})
