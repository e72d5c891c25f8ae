import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { callModel } from '../../support/clients/model-call.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

/** A gateway with a stream under way, whose ledger another program has locked when the next call ends. */
async function start(drain = '1') {
  const upstream = await startUpstream(vendorReply)
  onTestFinished(() => upstream.close())
  const gateway = await runGateway({ moreFlags: ['--drain', drain] })
  const owner = await setUpOwner(gateway.url)
  await owner.addChannel({ base_url: upstream.url, models: 'chat-model' })
  const key = await owner.addToken()
  const hanging = callModel(gateway.url, key, { stream: true, text: 'hang' })
  while (hanging.text === '') await sleep(10)
  const path = join(gateway.dataFolder, 'ledger.db')
  const other = new (sqliteDriver().Database)(path)
  other.exec('BEGIN EXCLUSIVE')
  const whole = callModel(gateway.url, key, {})
  await whole.over
  expect(whole).toMatchObject({ status: 200, isWhole: true })
  const rowsAfter = async () => {
    other.exec('ROLLBACK')
    other.close()
    const ledger = await openLedger(path)
    onTestFinished(() => ledger.close())
    return ledger.list({}, { page: 1, pageSize: 10 }).items
  }
  return { gateway, hanging, whole, rowsAfter }
}

test('a ledger that stays locked holds stopping up for a moment only, and every call is booked', {
  timeout: 90_000,
}, async () => {
  const { gateway, hanging, whole, rowsAfter } = await start()
  const { code, after } = await gateway.stop()
  expect(code).toBe(0)
  expect(after).toBeLessThan(5000)
  const rows = await rowsAfter()
  expect(rows.map(({ requestId }) => requestId).sort()).toEqual([hanging.id, whole.id].sort())
})

test('a second Ctrl-C while the ledger is locked loses no call that was answered', {
  timeout: 90_000,
}, async () => {
  const { gateway, whole, rowsAfter } = await start('60')
  void gateway.stop('SIGINT')
  await gateway.stopping()
  // One that comes within a tenth of a second is the same one.
  await sleep(200)
  expect(await gateway.stop('SIGINT')).toMatchObject({ code: 130 })
  expect((await rowsAfter()).map(({ requestId }) => requestId)).toContain(whole.id)
})
