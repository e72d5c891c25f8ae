import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ledgerMigrations } from '../../../../main/store/ledger/ledger-migrations.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { orderByTradeNo } from '../../../../main/store/payment/orders.ts'
import { tempFolder } from '../folder/temp-folder.ts'

/** The tables of the first version, as it made them. */
const FIRST_VERSION = `
  CREATE TABLE calls (id INTEGER PRIMARY KEY, request_id TEXT NOT NULL, created_at INTEGER NOT NULL,
    type INTEGER NOT NULL, user_id INTEGER NOT NULL, username TEXT NOT NULL, token_id INTEGER NOT NULL,
    token_name TEXT NOT NULL, channel_id INTEGER NOT NULL, channel_name TEXT NOT NULL,
    model TEXT NOT NULL, user_group TEXT NOT NULL, ip TEXT NOT NULL, content TEXT NOT NULL,
    quota INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
    use_time INTEGER NOT NULL, is_stream INTEGER NOT NULL, status INTEGER NOT NULL, other TEXT NOT NULL);
  CREATE INDEX calls_by_time ON calls (created_at);
  CREATE INDEX calls_by_user ON calls (user_id, created_at);
  CREATE INDEX calls_by_type ON calls (type, created_at) WHERE type <> 2;
  CREATE TABLE totals (kind TEXT NOT NULL, id INTEGER NOT NULL, quota INTEGER NOT NULL,
    calls INTEGER NOT NULL, last_used INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE TABLE hours (hour INTEGER NOT NULL, user_id INTEGER NOT NULL, username TEXT NOT NULL,
    model TEXT NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL, quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, model)) WITHOUT ROWID;
  CREATE TABLE summed (id INTEGER NOT NULL);
  PRAGMA user_version = 1;`

const HOUR = 1_700_002_800

test('a ledger of the first version keeps its rows, and the use of rows that are gone', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const database = new (sqliteDriver().Database)(path)
  database.exec(FIRST_VERSION)
  const insert = database.prepare(
    `INSERT INTO calls VALUES (?, 'r', ?, ?, 1, 'ada', ?, 'laptop', 3, 'One', 'model-a', 'vip', '', '', ?,
       5, 7, 12, 1, 200, ?)`,
  )
  // The last of its hour: the others are gone.
  insert.run(1, HOUR - 3500, 2, 2, 200, '{}')
  insert.run(2, HOUR + 10, 2, 2, 10, '{"cache_tokens":4,"estimated":true}')
  insert.run(3, HOUR + 20, 5, 2, 1, '{"unpriced":true}')
  // Not summed up yet when the old version ended.
  insert.run(4, HOUR + 3700, 2, 9, 100, 'no JSON')
  insert.run(5, HOUR + 3700, 2, 9, 0, '{"estimated":true}')
  database.exec(`
    INSERT INTO hours VALUES (${HOUR - 3600}, 1, 'ada', 'model-a', 4, 1, 1000, 50, 70);
    INSERT INTO hours VALUES (${HOUR}, 1, 'ada', 'model-a', 1, 1, 11, 10, 14);
    INSERT INTO totals VALUES ('token', 2, 1011, 7, ${HOUR + 20}), ('user', 1, 1011, 7, ${HOUR + 20});
    INSERT INTO summed VALUES (3)`)
  database.close()

  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  expect(ledger.totals('token', 2).quota).toBe(1011)
  expect(ledger.totals('token', 9).quota).toBe(100)
  const question = { start: HOUR - 3600, end: HOUR + 7199, step: 'hour' as const }
  const shown = (by: 'model' | 'token' | 'channel') =>
    ledger
      .summary({ ...question, by })
      .map(({ key, time, calls, quota }) => [key, time, calls, quota])
  expect(shown('model')).toEqual([
    ['model-a', HOUR - 3600, 5, 1000],
    ['model-a', HOUR, 2, 11],
    ['model-a', HOUR + 3600, 2, 100],
  ])
  expect(shown('token').map(([key]) => key)).toEqual(['0', '2', '9'])
  expect(shown('channel').map(([key]) => key)).toEqual(['0', '3', '3'])
  expect(ledger.summary({ ...question, by: 'token' })[1]).toMatchObject({
    ...{ errors: 1, unpriced: 1, cachedTokens: 4, estimated: 1 },
  })
  expect(ledger.totals('token', 2)).toMatchObject({ unpriced: 1, estimated: 1 })
  expect(ledger.totals('user', 1)).toMatchObject({ unpriced: 1, estimated: 2 })
  expect(ledger.list({ group: 'vip' }, { page: 1, pageSize: 9 }).total).toBe(5)
})

test('what was noted of an order before its sentences had codes is kept', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const database = new (sqliteDriver().Database)(path)
  const before = ledgerMigrations.findIndex((sql) => sql.includes('DROP COLUMN note'))
  for (const sql of ledgerMigrations.slice(0, before)) database.exec(sql)
  database.exec(`PRAGMA user_version = ${before}`)
  const insert = database.prepare(
    `INSERT INTO orders (user_id, trade_no, provider, amount, money, credit, is_live, status, note, create_time)
     VALUES (2, ?, 'stripe', 2, 2, 1000, 0, 'pending', ?, 1)`,
  )
  insert.run('noted', 'It was "refused".')
  insert.run('plain', '')
  database.close()

  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  const order = (tradeNo: string) => orderByTradeNo((...query) => ledger.read(...query), tradeNo)
  expect(order('noted')?.notes).toEqual([{ message: 'It was "refused".' }])
  expect(order('plain')).toMatchObject({ notes: [], credit: 1000 })
})
