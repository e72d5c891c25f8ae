// Fills a data folder that a gateway has set up: run by store.mjs with the folder and the amounts as JSON.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createLog } from '../../main/base/log/log.ts'
import { openFolder } from '../../main/store/folder/folder.ts'
import { openLedger } from '../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../main/store/ledger/sqlite-driver.ts'
import { createChannels } from '../../main/store/records/channels.ts'
import { createKeyStorage } from '../../main/store/secret-key/key-storage.ts'
import { openSecretKey } from '../../main/store/secret-key/open-secret-key.ts'
import { createSecretBox } from '../../main/store/secret-key/secret-box.ts'
import { openConfFile } from '../../main/store/state/conf-file.ts'
import { openState } from '../../main/store/state/state.ts'

interface Amounts {
  channels: number
  tokens: number
  codes: number
  rows: number
  /** Over so many days up to now. */
  days: number
}

const [path = '', given = '{}'] = process.argv.slice(2)
const amounts = JSON.parse(given) as Amounts
const now = Math.floor(Date.now() / 1000)
const folder = openFolder(path)

let seed = 1
/** The same numbers each time, from 0 to below 1. */
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
/** A few of them often, many seldom, as use is in life. */
const often = (count: number): number => Math.floor(count * random() ** 3)
const textOf = (text: string, length: number): string =>
  createHash('sha512').update(text).digest('hex').slice(0, length)

const VENDORS = ['gpt', 'claude', 'gemini', 'llama', 'mistral']
const MODELS = Array.from({ length: 40 }, (_, index) => `${VENDORS[index % 5]}-${index}_model`)

async function fillState(): Promise<void> {
  const storage = createKeyStorage(folder)
  const log = createLog('silent')
  const box = createSecretBox(await openSecretKey({ storage, env: process.env, log }))
  const state = openState(openConfFile(path))
  createChannels(state, box).createMany(
    Array.from({ length: amounts.channels }, (_, index) => ({
      type: 1,
      name: `channel ${index}`,
      key: `sk-${textOf(`channel ${index}`, 48)}`,
      baseUrl: 'https://vendor.example/v1',
      models: Array.from({ length: 4 }, (_, step) => MODELS[(index + step * 7) % 40] ?? ''),
      groups: index % 3 === 0 ? ['default', 'vip'] : ['default'],
      tag: `tag-${index % 50}`,
      status: index % 20 === 0 ? 2 : 1,
      priority: index % 5,
    })),
  )
  state.update((draft) => {
    for (let index = 0; index < amounts.tokens; index++) {
      draft.tokens.push({
        ...{ id: draft.nextId.token++, userId: 1, name: `token ${index}`, status: 1, group: '' },
        key: box.seal(textOf(`token ${index}`, 48)),
        ...{ createdTime: now - index, expiredTime: -1, grantedQuota: 500_000, deletedAt: null },
        ...{ unlimitedQuota: index % 2 === 0, modelLimitsEnabled: false, modelLimits: [] },
        modelAliases: {},
        ...{ allowIps: [], crossGroupRetry: false, dayBudget: null, monthBudget: null },
        budgetWarning: 80,
        requestsPerMinute: null,
        tokensPerMinute: null,
      })
    }
  })
}

const ROW = `INSERT INTO calls (request_id, created_at, type, user_id, username, token_id, token_name,
  channel_id, channel_name, model, user_group, ip, content, quota, prompt_tokens, completion_tokens,
  use_time, is_stream, status, other, cached_tokens, unpriced)
  VALUES (${Array(22).fill('?').join(', ')})`

const CODE = `INSERT INTO redemption_codes (user_id, code, status, name, quota, created_time, expired_time)
  VALUES (1, ?, ?, ?, ?, ?, ?)`

async function fillLedger(): Promise<void> {
  const file = join(path, 'ledger.db')
  const database = new (sqliteDriver().Database)(file)
  const insert = database.prepare(ROW)
  const span = amounts.days * 86_400
  database.exec('BEGIN')
  for (let index = 0; index < amounts.rows; index++) {
    const time = now - span + Math.floor((index / amounts.rows) * span)
    // A token is one person's or program's: it uses few models, and a model has few channels.
    const token = 1 + often(200)
    const model = MODELS[(token * 11 + often(4)) % 40] ?? ''
    const channel = 1 + ((MODELS.indexOf(model) * 5 + often(4)) % 200)
    const isError = index % 50 === 0
    insert.run(
      `${new Date(time * 1000).toISOString().replaceAll(/[^\d]/g, '').slice(0, 14)}${textOf(`${index}`, 12)}`,
      ...[time, isError ? 5 : index % 997 === 0 ? 3 : 2, 1, 'bench', token, `token ${token - 1}`],
      ...[channel, `channel ${channel - 1}`, model, index % 9 === 0 ? 'vip' : 'default'],
      ...['127.0.0.1', isError ? 'The vendor is not well.' : ''],
      ...[isError ? 0 : 100 + often(5000), 500 + often(9000), often(2000), 900, index % 2],
      ...[isError ? 502 : 200, '{"frt":312,"cache_tokens":128,"group_ratio":1}', 128, 0],
    )
    if (index % 50_000 === 49_999) database.exec('COMMIT; BEGIN')
  }
  const insertCode = database.prepare(CODE)
  for (let index = 0; index < amounts.codes; index++) {
    const expiry = index % 7 === 0 ? now - 60 : 0
    insertCode.run(
      textOf(`code ${index}`, 32),
      1 + (index % 3),
      `batch ${index % 400}`,
      500_000,
      now,
      expiry,
    )
  }
  database.exec('COMMIT')
  database.close()
  // Opening sums the rows up.
  const ledger = await openLedger(file)
  ledger.close()
}

await fillState()
await fillLedger()
folder.release()
