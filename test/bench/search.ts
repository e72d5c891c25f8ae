// How soon the Calls list is searched in a ledger of 100 000 calls: the median of each search and of the next page,
// how long other work waited meanwhile, and the same for the first search of all, which fills the table of facts.
// Then the same for the texts of 100 000 captures on disk.
//
//   node --import tsx test/bench/search.ts [rows]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseQuery } from '../../main/manage/calls/query/parse-query.ts'
import { openLedger } from '../../main/store/ledger/open-ledger.ts'
import type { CallSort, FindOptions } from '../../main/store/ledger/search/searches.ts'
import { searchCaptures } from './search-captures.ts'
import { shown, type Taken, timed } from './timed.ts'

const ROUNDS = 15
const COUNT = Number(process.argv[2] ?? 100_000)
const DAYS = 30
const now = Math.floor(Date.now() / 1000)

let seed = 1
/** The same numbers each time, from 0 to below 1. */
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
/** A few of them often, many seldom, as use is in life. */
const often = (count: number): number => Math.floor(count * random() ** 3)

const VENDORS = ['gpt', 'claude', 'gemini', 'llama', 'mistral']
const CLIENTS = [
  'claude-cli/2.1.0 (external, cli)',
  'codex_cli_rs/0.50',
  'GeminiCLI/0.20',
  'OpenAI/JS 6.4',
]

/** The log's JSON of a call, with the candidates and attempts that a converted one has. */
const other = (index: number): string =>
  JSON.stringify({
    ...{
      request_path: '/v1/messages',
      wire_format: index % 3 ? 'messages' : 'chat',
      frt: often(5000),
    },
    ...{ client: CLIENTS[often(4)], session: `session-${Math.floor(index / 40)}` },
    ...{ cache_tokens: often(9000), cache_creation_tokens: 0, reasoning_tokens: 0, group_ratio: 1 },
    ...(index % 10 === 0
      ? { loss: [{ path: 'messages[0].content', kind: 'dropped', note: 'n' }] }
      : {}),
    ...(index % 50 === 0 ? { error_code: 'upstream_error', status_code: 502 } : {}),
    ...(index % 211 === 0 ? { error_code: 'upstream_cut' } : {}),
    admin_info: {
      use_channel: ['3'],
      route: {
        candidates: Array.from({ length: 6 }, (_, id) => ({
          ...{ id, name: `channel ${id}`, priority: 0, weight: 1, place: id + 1, native: true },
        })),
        attempts: [{ channel: 3, at: 1, ms: 900, status: 200 }],
      },
    },
  })

const folder = mkdtempSync(join(tmpdir(), 'switchyard-search-bench-'))
try {
  const ledger = await openLedger(join(folder, 'ledger.db'))
  for (let index = 0; index < COUNT; index++) {
    const createdAt = now - DAYS * 86_400 + Math.floor((index / COUNT) * DAYS * 86_400)
    const token = often(200)
    const isError = index % 50 === 0
    const booked = ledger.record({
      requestId: `${new Date(createdAt * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)}${String(index).padStart(12, '0')}`,
      ...{
        createdAt,
        type: isError ? 5 : 2,
        userId: 1 + (index % 2),
        username: `user ${index % 2}`,
      },
      ...{ tokenId: 1 + token, tokenName: `token ${token}`, channelId: 1 + often(200) },
      channelName: `channel ${often(200)}`,
      model: `${VENDORS[token % 5]}-${often(40)}_model`,
      ...{ group: 'default', ip: '127.0.0.1', content: isError ? 'The vendor is not well.' : '' },
      ...{ quota: often(90_000), promptTokens: 500 + often(9000), completionTokens: often(2000) },
      ...{ useTime: often(60_000), isStream: index % 2 === 0, status: isError ? 502 : 200 },
      ...{ other: other(index), cachedTokens: often(400), isUnpriced: false, isEstimated: false },
    })
    if (index % 1000 === 999) await booked
  }
  // The sums of so many rows are saved a second later, and would count as a search's.
  await sleep(2500)

  const find = (q: string, options: Partial<FindOptions> = {}) =>
    ledger.find(parseQuery(q, { isAdministrator: true, now }), {
      ...{ cursor: null, limit: 100, sort: 'time', order: 'desc', ...options },
    })

  shown('the first search of all', [await timed(() => find('model:nothing'))])
  const queries = [
    '',
    'gpt',
    'nothing',
    'status:5xx',
    'model:claude slow:>5s',
    'model:nothing',
    'loss:yes cut:yes',
    '-stream:yes cached:>50%',
    'channel:"channel 19"',
    'session:session-2000',
    'session:nothing',
    'client:codex cost:>0.1',
    'text:"not well"',
    'text:nothing',
    'id:2026',
    'id:nothing',
    'type:error after:7d',
    'cost:>1000',
  ]
  for (const q of queries) {
    const times: Taken[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => find(q)))
    shown(`${q || '(no query)'}`, times)
  }
  const sorts: CallSort[] = ['duration', 'quota', 'firstToken']
  for (const sort of sorts) {
    const times: Taken[] = []
    const { next: cursor } = await find('', { sort })
    for (let round = 0; round < ROUNDS; round++)
      times.push(await timed(() => find('', { sort, cursor })))
    shown(`second page by ${sort}`, times)
  }
  const own = parseQuery('gpt', { isAdministrator: false, now })
  for (const [name, work] of Object.entries({
    'values of model': () => ledger.valuesOf('model', 'gpt', 20),
    'values of session': () => ledger.valuesOf('session', '20', 20),
    'new rows that fit': () => ledger.countSince(own, { time: now - 86_400, id: 1 }),
  })) {
    const times: Taken[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(work))
    shown(name, times)
  }
  console.log(`ledger.db: ${(ledger.size() / 1e6).toFixed(0)} MB`)
  ledger.close()
  await searchCaptures(folder, COUNT)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
