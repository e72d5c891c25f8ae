#!/usr/bin/env node
// How long one call holds up all others: bodies and answers of 20 MiB, relayed as they are and converted. For each
// kind: the most processor time that the gateway's main thread took between two turns of its event loop, the longest
// that such a turn was late by the clock, and the longest that a small call beside it had to wait. Of several rounds the median; a loop that is held up by other processes shows in all of them.
//
//   npm run build && node test/bench/event-loop.mjs [--rounds 3] [--size <MiB>] [--only <part of a name>]
//                                                   [--entry <headless.js, or main/headless.ts>]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answers, asMessages, requests } from './big-calls.mjs'
import { setUpGateway } from './built-gateway.mjs'

const MEBIBYTE = 1024 * 1024
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    size: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    entry: { type: 'string', default: resolve(import.meta.dirname, '../../dist/main/headless.js') },
  },
})
const rounds = Number(values.rounds)
const size = Number(values.size) * MEBIBYTE

/** A vendor that speaks all formats and reads all that it is sent. */
async function startVendor() {
  const formats = {
    chat: /chat/,
    messages: /messages/,
    responses: /responses/,
    embeddings: /embeddings|audio/,
  }
  const server = createServer((incoming, outgoing) => {
    const format =
      Object.keys(formats).find((name) => formats[name].test(incoming.url)) ?? 'generate-content'
    incoming.resume().on('end', () => {
      const kind = server.answering
      const { type, body } = answers[kind][format] ?? answers.small[format]
      outgoing.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
    })
  })
  server.answering = 'small'
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${server.address().port}` }
}

async function startWatched(entry, folder) {
  const fromSource = entry.endsWith('.ts')
  const child = fork(resolve(entry), ['--port', '0', '--data-dir', folder], {
    execArgv: [
      ...(fromSource ? ['--import', 'tsx'] : []),
      '--import',
      join(import.meta.dirname, 'loop-watch.mjs'),
    ],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) return { child, url }
  }
  throw new Error('The gateway did not start.')
}

/** Sends a body and reads the answer to its end; gives its status. */
function send(url, path, key, body, type = 'application/json') {
  return new Promise((done, failed) => {
    const sending = request(url + path, {
      method: 'POST',
      headers: {
        'content-type': type,
        'content-length': body.length,
        authorization: `Bearer ${key}`,
        'anthropic-version': '2023-06-01',
      },
    })
    sending.on('error', failed)
    sending.on('response', (answer) => {
      const parts = []
      answer.on('data', (part) => parts.length < 3 && parts.push(part))
      answer.on('error', failed)
      answer.on('end', () =>
        done({ status: answer.statusCode, text: Buffer.concat(parts).toString().slice(0, 200) }),
      )
    })
    sending.end(body)
  })
}

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
}
const vendor = await startVendor()
const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
const { child, url } = await startWatched(values.entry, folder)
const ask = async () => {
  child.send('report')
  const [report] = await once(child, 'message')
  return report
}
const channel = (name, type, endpoint) => ({
  name,
  type,
  base_url: vendor.url,
  models: `${name},${name}-whole,${name}-events`,
  group: 'default',
  settings: JSON.stringify({ endpoint_types: [endpoint, 'embeddings', 'audio'] }),
})
const key = await setUpGateway(url, channel('chat', 1, 'openai'))
const login = await fetch(`${url}/api/user/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'bench', password: 'benchmark-owner' }),
})
const cookie = login.headers.getSetCookie()[0].split(';')[0]
for (const one of [
  channel('messages', 14, 'anthropic'),
  channel('gemini', 24, 'gemini'),
  channel('responses', 1, 'openai-response'),
]) {
  const made = await fetch(`${url}/api/channel/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ mode: 'single', channel: { key: 'k', ...one } }),
  })
  if (!made.ok) throw new Error(await made.text())
}

/** All that is sent: a name, who is called, with what, and what is answered. */
function* cases() {
  for (const [kind, make] of Object.entries(requests)) {
    const chat = make(size)
    for (const model of ['chat', 'messages', 'gemini', 'responses'])
      yield [`chat → ${model}: ${kind}`, 'chat', { model, ...chat }]
    const claude = asMessages(chat)
    for (const model of ['messages', 'chat', 'gemini'])
      yield [`messages → ${model}: ${kind}`, 'messages', { model, ...claude }]
  }
  const hi = [{ role: 'user', content: 'Hi' }]
  for (const [model, kind, stream] of [
    ['chat', 'whole', false],
    ['messages', 'whole', false],
    ['chat', 'small events', true],
    ['messages', 'small events', true],
    ['chat', 'one event', true],
    ['messages', 'one event', true],
  ]) {
    yield [`chat → ${model}, answer: ${kind}`, 'chat', { model, stream, messages: hi }, kind]
    yield [
      `messages → ${model}, answer: ${kind}`,
      'messages',
      { model, stream, max_tokens: 9, messages: hi },
      kind,
    ]
  }
  const numbers = Array.from({ length: size / 6 }, (_, at) => 10_000 + (at % 89_999))
  yield ['embeddings: numbers', 'embeddings', { model: 'chat', input: numbers }]
  yield ['embeddings, answer: numbers', 'embeddings', { model: 'chat', input: 'Hi' }, 'whole']
}

const small = Buffer.from(
  JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Hi' }] }),
)
const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1]

async function measure(path, body, type) {
  await ask()
  let isOver = false
  let slowest = 0
  const beside = (async () => {
    while (!isOver) {
      const from = performance.now()
      await send(url, paths.chat, key, small)
      slowest = Math.max(slowest, performance.now() - from)
      await sleep(2)
    }
  })()
  const from = performance.now()
  const answer = await send(url, path, key, body, type)
  const took = performance.now() - from
  isOver = true
  await beside
  await sleep(20)
  return { ...answer, ...(await ask()), slowest, took }
}

async function report(name, path, body, kind = 'small', type = undefined) {
  if (!name.includes(values.only)) return
  const seen = []
  for (let round = 0; round < rounds; round++) {
    // The small calls beside it are answered from the same vendor: a large answer is the big call's alone.
    vendor.server.answering = kind
    if (kind !== 'small') {
      seen.push(await measureAlone(path, body, type))
    } else seen.push(await measure(path, body, type))
  }
  const of = (what) =>
    median(seen.map((one) => one[what]))
      .toFixed(0)
      .padStart(7)
  const { status, text } = seen[0]
  console.log(
    `${name.padEnd(52)}${of('busiest')}${of('longest')}${of('slowest')}${of('took')}  ${status}${status === 200 ? '' : ` ${text}`}`,
  )
}

/** As `measure`, without small calls beside. */
async function measureAlone(path, body, type) {
  await ask()
  const from = performance.now()
  const answer = await send(url, path, key, body, type)
  const took = performance.now() - from
  await sleep(20)
  return { ...answer, ...(await ask()), slowest: 0, took }
}

console.log(`${'milliseconds, median'.padEnd(52)}busiest   loop  small   took  status`)
for (const [name, format, body, kind] of cases())
  if (name.includes(values.only))
    await report(name, paths[format], Buffer.from(JSON.stringify(body)), kind)
const boundary = 'event-loop-bench'
const form = Buffer.concat([
  Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nchat\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\ncontent-type: audio/mpeg\r\n\r\n`,
  ),
  Buffer.alloc(size, 7),
  Buffer.from(`\r\n--${boundary}--\r\n`),
])
await report(
  'form of 20 MiB',
  '/v1/audio/transcriptions',
  form,
  'small',
  `multipart/form-data; boundary=${boundary}`,
)

child.kill('SIGTERM')
await once(child, 'exit')
vendor.server.closeAllConnections()
vendor.server.close()
rmSync(folder, { recursive: true, force: true })
