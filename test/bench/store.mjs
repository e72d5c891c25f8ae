#!/usr/bin/env node
// The answers of a gateway with very much in it, and their times: 10 000 channels, 10 000 tokens, 100 000 redemption
// codes and a million rows of the log. Prints the median of every list, search and chart over HTTP, of one
// write of each kind and of the event loop's longest pause during it, and whether reading wrote to state.json.
// Other work on the machine shows in the times; the gateway's own processor time is printed beside them.
//
//   npm run build && node test/bench/store.mjs [--rounds 9] [--entry <built headless.js>] [--keep <folder>]
//                                              [--rows 1000000] [--only <text in a name>]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startProcess } from './built-gateway.mjs'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    entry: { type: 'string', default: join(root, 'dist/main/headless.js') },
    keep: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(values.rounds)
const folder = resolve(values.keep ?? mkdtempSync(join(tmpdir(), 'switchyard-store-bench-')))
mkdirSync(folder, { recursive: true })
const loader = values.entry.endsWith('.ts') ? ['--import', 'tsx'] : []
const owner = { username: 'bench', password: 'benchmark-owner' }
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)

const startGateway = () =>
  startProcess([...loader, resolve(values.entry), '--port', '0', '--data-dir', folder])

const stopGateway = ({ child }) =>
  new Promise((done) => {
    child.once('exit', done)
    child.kill('SIGTERM')
  })

/** Someone who asks as the owner; gives the answer's data and how long it took, in milliseconds. */
async function signIn(url, path) {
  let cookie = ''
  const ask = async (method, path, body) => {
    const start = performance.now()
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const time = performance.now() - start
    const answer = JSON.parse(text)
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { data: answer.data, time, size: text.length }
  }
  await ask(
    'POST',
    path,
    path === '/api/setup' ? { ...owner, confirmPassword: owner.password } : owner,
  )
  return ask
}

async function fill() {
  const gateway = await startGateway()
  await signIn(gateway.url, '/api/setup')
  await stopGateway(gateway)
  const amounts = {
    channels: 10_000,
    tokens: 10_000,
    codes: 100_000,
    rows: Number(values.rows),
    days: 90,
  }
  const script = join(root, 'test/bench/store-data.ts')
  const args = ['--import', 'tsx', script, folder, JSON.stringify(amounts)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The data could not be made.')
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1]

/** Milliseconds of processor time that a process has taken, in steps of 10; null where that is not told. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

/** The median of asking for a path so many times; of pages and lists also how much came. */
async function measureRead(ask, path, pid) {
  const before = processorTime(pid)
  const times = []
  let last
  for (let round = 0; round < rounds; round++) {
    last = await ask('GET', path)
    times.push(last.time)
  }
  const { data } = last
  const rows = data?.items ?? data?.rows ?? data
  const amount = Array.isArray(rows) ? `${rows.length} rows` : ''
  const total = data?.total === undefined ? '' : ` of ${data.total}`
  const taken = before === null ? '' : `, processor ${(processorTime(pid) - before) / rounds} ms`
  return {
    time: median(times),
    note: `${amount}${total}, ${Math.ceil(last.size / 1024)} KB${taken}`,
  }
}

/** A write, and how long other requests then waited at most: the event loop's pause as a client sees it. */
async function measureWrite(ask, make) {
  const times = []
  const pauses = []
  for (let round = 0; round < rounds; round++) {
    let isOver = false
    let longest = 0
    const watch = (async () => {
      while (!isOver) longest = Math.max(longest, (await ask('GET', '/api/status')).time)
    })()
    const { time } = await make(round).finally(() => {
      isOver = true
      return watch
    })
    times.push(time)
    pauses.push(longest)
  }
  return { time: median(times), note: `others waited ${median(pauses).toFixed(0)} ms at most` }
}

const span = (days) => `start_timestamp=${now - days * DAY}&end_timestamp=${now}`

function reads(requestId) {
  const log = [
    ...['', 'p=40000', 'username=bench', 'username=nobody', 'token_name=token%202'],
    ...[
      'token_name=token%20199',
      'token_name=nobody',
      'model_name=gpt-0_model',
      'model_name=gpt%25',
    ],
    ...[
      'model_name=none%25',
      'channel=3',
      'channel=9999',
      'group=vip',
      'group=none',
      'type=2',
      'type=5',
    ],
    ...['type=3', 'type=5&token_name=token%203', 'channel=3&model_name=gpt%25', span(7)],
    ...[
      `${span(7)}&channel=3`,
      `request_id=${requestId}`,
      'request_id=nothing',
      'page_size=100&p=9',
    ],
  ]
  const stat = [
    ...[
      '',
      'type=2',
      'token_name=token%202',
      'model_name=gpt%25',
      'channel=3',
      'group=vip',
      span(30),
    ],
  ]
  return [
    ...['', 'tag_mode=true', 'page_size=100&p=50', 'status=1', 'type=1&id_sort=true'].map(
      (query) => `/api/channel/?${query}`,
    ),
    ...[
      'keyword=channel%2077',
      'keyword=nothing',
      'model=gpt-0_model',
      'group=vip',
      'keyword=tag-7&tag_mode=true',
    ].map((query) => `/api/channel/search?${query}`),
    ...['', 'page_size=100&p=50'].map((query) => `/api/token/?${query}`),
    ...['keyword=token%2077', 'keyword=nothing'].map((query) => `/api/token/search?${query}`),
    ...['', 'page_size=100&p=900'].map((query) => `/api/redemption/?${query}`),
    ...['keyword=batch%207', 'keyword=nothing', 'status=expired', 'status=1'].map(
      (query) => `/api/redemption/search?${query}`,
    ),
    ...log.map((query) => `/api/log/?${query}`),
    ...['', 'token_name=token%202'].map((query) => `/api/log/self?${query}`),
    ...stat.map((query) => `/api/log/stat?${query}`),
    ...[`${span(1)}`, '', `${span(30)}`].map((query) => `/api/data/?${query}`),
    ...['model', 'channel', 'token', 'user'].flatMap((by) =>
      [
        `step=hour&${span(2)}`,
        `step=day&${span(30)}`,
        `step=week&${span(90)}`,
        `step=all&${span(30)}`,
      ].map((query) => `/api/usage/summary?by=${by}&${query}`),
    ),
    `/api/usage/summary/self?by=token&step=day&${span(30)}`,
    '/api/channel/models_enabled',
    '/api/models',
  ]
}

const writes = (ask) => {
  const name = (round) => `bench ${Date.now()} ${round}`
  const channel = { type: 1, key: 'k', models: 'gpt-0_model', base_url: 'https://vendor.example' }
  return {
    'a channel made': (round) =>
      ask('POST', '/api/channel/', { mode: 'single', channel: { ...channel, name: name(round) } }),
    'a channel changed': (round) =>
      ask('PUT', '/api/channel/', { id: 5000 + round, weight: Date.now() % 1000 }),
    '50 channels of a tag disabled and enabled': (round) =>
      ask('POST', `/api/channel/tag/${round % 2 ? 'enabled' : 'disabled'}`, { tag: 'tag-7' }),
    'a token changed': (round) =>
      ask('PUT', '/api/token/', { id: 5000 + round, name: name(round).slice(0, 30) }),
    'an option changed': (round) =>
      ask('PUT', '/api/option/', { key: 'SystemName', value: name(round) }),
    '100 codes made': (round) =>
      ask('POST', '/api/redemption/', { name: `b ${round}`, quota: 1, count: 100 }),
    'rows of a day removed': (round) =>
      ask('DELETE', `/api/log/?target_timestamp=${now - (90 - round) * DAY}`),
  }
}

const shown = (time) => `${time.toFixed(1).padStart(8)} ms${time > 100 ? ' !' : '  '}`

try {
  if (!existsSync(join(folder, 'state.json'))) await fill()
  const gateway = await startGateway()
  try {
    const ask = await signIn(gateway.url, '/api/user/login')
    const stateFile = join(folder, 'state.json')
    const writtenAt = statSync(stateFile).mtimeMs
    const { data } = await ask('GET', '/api/log/?p=5000&page_size=100')
    let slow = 0
    for (const path of reads(data.items[0]?.request_id ?? '').filter((one) =>
      one.includes(values.only),
    )) {
      const { time, note } = await measureRead(ask, path, gateway.child.pid).catch((error) => ({
        time: 0,
        note: error.message,
      }))
      if (time > 100) slow++
      console.log(
        `${shown(time)} ${path.replaceAll(/(start|end)_timestamp=\d+&?/g, '')}  (${note})`,
      )
    }
    const isUntouched = statSync(stateFile).mtimeMs === writtenAt
    console.log(
      `\nstate.json was ${isUntouched ? 'not written' : 'WRITTEN'} by all these reads; ${slow} are above 100 ms.\n`,
    )
    if (!isUntouched) process.exitCode = 1
    for (const [name, make] of Object.entries(writes(ask)).filter(([one]) =>
      one.includes(values.only),
    )) {
      const { time, note } = await measureWrite(ask, make).catch((error) => ({
        time: 0,
        note: error.message,
      }))
      console.log(`${shown(time)} ${name}  (${note})`)
    }
    console.log(
      `\nstate.json: ${(statSync(stateFile).size / 1e6).toFixed(1)} MB, ledger.db: ${(statSync(join(folder, 'ledger.db')).size / 1e6).toFixed(1)} MB`,
    )
  } finally {
    await stopGateway(gateway)
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}
