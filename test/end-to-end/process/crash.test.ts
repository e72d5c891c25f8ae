import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { callModel, type ModelCall, sawWholeAnswer } from '../../support/clients/model-call.ts'
import { isEveryCase } from '../../support/every-case.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { type OwnerClient, setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

const formats = ['chat', 'messages', 'generate-content'] as const
const channelTypes = { chat: 1, messages: 14, 'generate-content': 24 }
const STREAMS = 100
const WHOLE = 6
const ROUNDS = isEveryCase ? 3 : 1

interface Row {
  request_id: string
  type: number
  quota: number
  token_id: number
  channel: number
}

async function allRows(owner: OwnerClient): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { items } = await owner.ask<{ items: Row[] }>('GET', `/api/log/?p=${page}&page_size=100`)
    rows.push(...items)
    if (items.length < 100) return rows
  }
}

const sumOf = (rows: readonly { quota: number }[]): number =>
  rows.reduce((sum, { quota }) => sum + quota, 0)

/** The sums kept as rows come in must equal the sum of the rows. */
async function expectTotalsOf(rows: readonly Row[], owner: OwnerClient): Promise<void> {
  const tokens = await owner.ask<{ items: { id: number; used_quota: number }[] }>(
    'GET',
    '/api/token/?page_size=100',
  )
  for (const { id, used_quota } of tokens.items) {
    expect(used_quota).toBe(sumOf(rows.filter((row) => row.token_id === id)))
  }
  const channels = await owner.ask<{ items: { id: number; used_quota: number }[] }>(
    'GET',
    '/api/channel/?page_size=100',
  )
  for (const { id, used_quota } of channels.items) {
    expect(used_quota).toBe(sumOf(rows.filter((row) => row.channel === id)))
  }
  const hours = await owner.ask<{ quota: number; count: number }[]>('GET', '/api/data/')
  expect(sumOf(hours)).toBe(sumOf(rows))
  // A call cut off by the kill has a row of its own, which does not count as answered.
  const answered = rows.filter(({ type }) => type === 2)
  expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(answered.length)
  const stat = await owner.ask<{ quota: number }>('GET', '/api/log/stat')
  expect(stat.quota).toBe(sumOf(rows))
}

test('a kill in the middle of 100 streams loses no call that a client saw complete', {
  timeout: 120_000,
}, async () => {
  const upstream = await startUpstream(vendorReply)
  onTestFinished(() => upstream.close())
  let gateway = await runGateway()
  const { dataFolder } = gateway
  let owner = await setUpOwner(gateway.url)
  for (const format of formats) {
    await owner.addChannel({
      type: channelTypes[format],
      base_url: upstream.url,
      models: `${format}-model`,
    })
  }
  const ratios = Object.fromEntries(formats.map((format) => [`${format}-model`, 1]))
  await owner.ask('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) })
  const key = await owner.addToken()
  const calls: ModelCall[] = []

  for (let round = 1; round <= ROUNDS; round++) {
    const { url } = gateway
    const before = formats.flatMap((format) => [
      callModel(url, key, { format }),
      callModel(url, key, { format, stream: true }),
    ])
    await Promise.all(before.map((call) => call.over))
    for (const call of before) expect(call).toMatchObject({ status: 200, isWhole: true })

    // 100 at any time: each that ends begins another one, so that some end in the very moment.
    const open = new Set<Promise<void>>()
    let isKilled = false
    const begin = (index: number, stream: boolean): void => {
      const format = formats[index % formats.length] ?? 'chat'
      const call = callModel(url, key, { format, stream, text: `${3 + (index % 40)}` })
      calls.push(call)
      const over = call.over.then(() => {
        open.delete(over)
        if (!isKilled) begin(index + STREAMS, stream)
      })
      open.add(over)
    }
    calls.push(...before)
    for (let index = 0; index < STREAMS; index++) begin(index, true)
    for (let index = 0; index < WHOLE; index++) begin(index, false)
    const enough = calls.filter(sawWholeAnswer).length + 2 * STREAMS
    const underWay = () =>
      calls.filter((call) => call.stream && call.text !== '' && !sawWholeAnswer(call)).length
    // Where the processor is busy, streams begin and end in crowds.
    while (calls.filter(sawWholeAnswer).length < enough || underWay() <= STREAMS / 4) await sleep(5)
    isKilled = true
    expect(await gateway.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    await Promise.all(open)

    expect(JSON.parse(readFileSync(join(dataFolder, 'state.json'), 'utf8'))).toMatchObject({
      setup: {},
    })
    gateway = await runGateway({ dataFolder })
    expect(gateway.stderr()).toBe('')
    expect(gateway.stdout()).toBe(`Switchyard is ready at ${gateway.url}\n`)
    owner = await signInOwner(gateway.url)
    const rows = await allRows(owner)
    const rowsOf = new Map<string, number>()
    for (const { request_id: id } of rows) rowsOf.set(id, (rowsOf.get(id) ?? 0) + 1)
    const complete = calls.filter(sawWholeAnswer)
    expect(complete.filter((call) => rowsOf.get(call.id) !== 1)).toEqual([])
    expect([...rowsOf.values()].every((count) => count === 1)).toBe(true)
    await expectTotalsOf(rows, owner)
  }

  const again = callModel(gateway.url, key, { stream: true })
  await again.over
  expect(again).toMatchObject({ status: 200, isWhole: true })
  expect(await gateway.stop()).toMatchObject({ code: 0 })
  const ledger = new (sqliteDriver().Database)(join(dataFolder, 'ledger.db'))
  onTestFinished(() => ledger.close())
  expect(ledger.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
})
