import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { isEveryCase } from '../../support/every-case.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { type OwnerClient, setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'
import { KilledWrites, type Writer } from './killed-writes.ts'

/** Acknowledged writes in all, and the kills between them. */
const WRITES = isEveryCase ? 240 : 120
const KILLS = WRITES / 30
const WRITERS = 4

const CODE_QUOTA = 7
const CODES_AT_ONCE = 3

interface Page<Item> {
  items: Item[]
}

async function allOf<Item>(owner: OwnerClient, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const found = await owner.ask<Page<Item>>('GET', `${path}?p=${page}&page_size=100`)
    items.push(...found.items)
    if (found.items.length < 100) return items
  }
}

/** The records in the gateway, by the names that the writers gave them. */
async function readAll(owner: OwnerClient): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  type Named = { id: number; name: string; remark: string; username: string }
  type OneToken = { name: string; model_limits: string; remain_quota: number }
  for (const one of await allOf<Named>(owner, '/api/channel/')) found.set(one.name, one.remark)
  for (const one of await allOf<OneToken>(owner, '/api/token/'))
    found.set(one.name, `${one.model_limits} ${one.remain_quota}`)
  for (const one of await allOf<Named>(owner, '/api/user/')) found.set(one.username, one.remark)
  const options = await owner.ask<{ key: string; value: string }[]>('GET', '/api/option/')
  for (const { key, value } of options) found.set(key, value)
  return found
}

/** One of the writes that an administrator makes, on records of its own. */
async function writeOne(owner: OwnerClient, writes: KilledWrites, writer: Writer): Promise<void> {
  const name = `${writer.name}-${writer.count++}`
  const own = writer.records.at(-1)
  switch (writer.count % 9) {
    case 0:
      await writes.put(name, 'new', async () => {
        await owner.addChannel({ name, type: 900, key: '', remark: 'new' })
      })
      writer.records.push(name)
      return
    case 1:
      await writes.put(name, 'gpt-a 1000', async () => {
        await owner.ask('POST', '/api/token/', {
          ...{ name, unlimited_quota: false, remain_quota: 1000 },
          ...{ model_limits_enabled: true, model_limits: 'gpt-a' },
        })
      })
      writer.tokens.push(name)
      return
    case 7: {
      const token = writer.tokens.at(-1)
      const id = token === undefined ? undefined : writer.ids.get(token)
      if (token === undefined || id === undefined) return
      const quota = 2000 + writer.count
      return writes.put(token, `gpt-a ${quota}`, async () => {
        await owner.ask('PUT', '/api/token/', { id, remain_quota: quota })
      })
    }
    case 2: {
      const option = ['SystemName', 'Notice', 'About', 'HomePageContent'][writer.index] ?? 'Footer'
      return writes.put(option, name, async () => {
        await owner.ask('PUT', '/api/option/', { key: option, value: name })
      })
    }
    case 3: {
      const codes = { name, quota: CODE_QUOTA, count: CODES_AT_ONCE }
      return writes.issue(name, () => owner.ask<string[]>('POST', '/api/redemption/', codes))
    }
    case 4:
    case 5: {
      const code = writes.unused.pop()
      if (code === undefined || !writes.mayRedeem()) return
      return writes.redeem(code, async () => {
        await owner.ask('POST', '/api/user/topup', { key: code })
      })
    }
    case 6:
      return writes.put(name, 'new', async () => {
        const user = { username: name, password: 'correct horse', remark: 'new' }
        await owner.ask('POST', '/api/user/', user)
      })
    default: {
      if (own === undefined) return
      const id = writer.ids.get(own)
      if (id === undefined) return
      return writes.put(own, name, async () => {
        await owner.ask('PUT', '/api/channel/', { id, remark: name })
      })
    }
  }
}

/** All units that the owner was ever given: left plus used. */
async function creditOf(owner: OwnerClient): Promise<number> {
  const own = await owner.ask<{ quota: number; used_quota: number }>('GET', '/api/user/self')
  return own.quota + own.used_quota
}

interface Code {
  key: string
  name: string
  status: number
}

async function expectAll(owner: OwnerClient, writes: KilledWrites): Promise<void> {
  writes.expectValues(await readAll(owner))

  const codes = await allOf<Code>(owner, '/api/redemption/')
  const byName = new Map<string, Code[]>()
  for (const code of codes) byName.set(code.name, [...(byName.get(code.name) ?? []), code])
  for (const [name, keys] of writes.issued) {
    expect([
      name,
      byName
        .get(name)
        ?.map(({ key }) => key)
        .sort(),
    ]).toEqual([name, [...keys].sort()])
  }
  // Those whose answer was cut off are there in full, or not at all.
  for (const found of byName.values()) expect(found).toHaveLength(CODES_AT_ONCE)

  const used = codes.filter(({ status }) => status === 3).map(({ key }) => key)
  for (const key of writes.redeemed) expect(used).toContain(key)
  for (const key of used) expect([...writes.redeemed, ...writes.cut]).toContain(key)
  const rows = await allOf<{ type: number; quota: number }>(owner, '/api/log/')
  const credits = rows.filter(({ type }) => type === 1)
  expect(credits).toHaveLength(used.length)
  expect((await creditOf(owner)) - writes.creditAtFirst).toBe(used.length * CODE_QUOTA)
}

function expectSumsOfRows(path: string): void {
  const ledger = new (sqliteDriver().Database)(path)
  onTestFinished(() => ledger.close())
  expect(ledger.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const credited = 'SELECT user_id AS id, sum(quota) AS quota FROM calls WHERE type IN (1, 6)'
  expect(ledger.prepare("SELECT id, quota FROM totals WHERE kind = 'credit'").all()).toEqual(
    ledger.prepare(`${credited} GROUP BY user_id`).all(),
  )
  const calls = 'SELECT count(*) AS calls, sum(quota) AS quota FROM calls WHERE type IN (2, 5)'
  for (const table of ['usage_hours', 'token_hours', 'channel_hours']) {
    const sums = `SELECT sum(calls + errors) AS calls, sum(quota) AS quota FROM ${table}`
    expect(ledger.prepare(sums).get()).toEqual(ledger.prepare(calls).get())
  }
}

test(`${WRITES} writes of all kinds, killed ${KILLS} times: what was acknowledged is there, nothing is half there`, {
  timeout: 400_000,
}, async () => {
  let gateway = await runGateway()
  const { dataFolder } = gateway
  let owner = await setUpOwner(gateway.url)
  await owner.addChannel({ name: 'Echo', type: 900, key: '', models: 'chat-model' })
  const key = await owner.addToken('caller')
  await owner.ask('PUT', '/api/option/', { key: 'ModelRatio', value: '{"chat-model":1}' })
  const writes = new KilledWrites(await creditOf(owner))
  const writers: Writer[] = Array.from({ length: WRITERS }, (_, index) => ({
    ...{ name: `w${index}`, index, count: index * 3, records: [], tokens: [], ids: new Map() },
  }))

  for (let kill = 1; kill <= KILLS; kill++) {
    const { url } = gateway
    writes.beginRound()
    type Named = { id: number; name: string }
    const channels = await allOf<Named>(owner, '/api/channel/')
    const tokens = await allOf<Named>(owner, '/api/token/')
    for (const writer of writers) {
      writer.ids = new Map([...channels, ...tokens].map(({ id, name }) => [name, id]))
      writer.records = writer.records.filter((name) => writer.ids.has(name))
      writer.tokens = writer.tokens.filter((name) => writer.ids.has(name))
    }
    const target = Math.round((WRITES * kill) / KILLS)
    const work = writers.map(async (writer) => {
      while (!writes.isKilled) await writeOne(owner, writes, writer)
    })
    const call = (async () => {
      while (!writes.isKilled) await writes.call(url, key)
    })()
    while (writes.acknowledged < target) await writes.next()
    // Anywhere in the writes that are under way now.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    writes.isKilled = true
    expect(await gateway.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    await Promise.all([...work, call])

    expect(JSON.parse(readFileSync(join(dataFolder, 'state.json'), 'utf8'))).toMatchObject({
      setup: {},
    })
    gateway = await runGateway({ dataFolder })
    expect(gateway.stderr()).toBe('')
    owner = await signInOwner(gateway.url)
    await expectAll(owner, writes)
    const rows = await allOf<{ request_id?: string }>(owner, '/api/log/')
    const ids = rows.map(({ request_id: id }) => id)
    expect(writes.calls.filter((id) => !ids.includes(id))).toEqual([])
  }

  expect(writes.acknowledged).toBeGreaterThanOrEqual(WRITES)
  expect(writes.redeemed.size).toBeGreaterThan(KILLS)
  expect(writes.calls.length).toBeGreaterThan(KILLS)
  expect(await gateway.stop()).toMatchObject({ code: 0 })
  expectSumsOfRows(join(dataFolder, 'ledger.db'))
})
