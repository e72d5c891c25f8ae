import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { callModel } from '../../support/clients/model-call.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'

/** Everything that is a secret to somebody, each to be told from all other text. */
const secrets = {
  dataKey: Buffer.alloc(32, 'DistinctiveDataKey').toString('base64'),
  vendorKey: 'sk-vendor-Distinctive-8Kq2vYh1',
  secondKey: 'sk-second-Distinctive-Zw03bXc7',
  geminiKey: 'AIzaDistinctive_5tGbNhY6ujMki8',
  proxyPassword: 'Distinctive+proxy/7Pass',
  headerSecret: 'Distinctive-header-4Rfv5Tgb',
  stripeSecret: 'sk_live_Distinctive1qazXSW2',
  stripeWebhook: 'whsec_Distinctive3edcVFR4',
  creemKey: 'creem_Distinctive5tgbNHY6',
  creemWebhook: 'creemwh_Distinctive7ujmKI8',
  gotifyToken: 'Distinctive.gotify.9olP0',
  webhookSecret: 'Distinctive.webhook.1aqZ2',
}

/** Not known to the gateway at all, and still nothing for its log or its books. */
const unknown = {
  password: 'Distinctive wrong password',
  token: 'sk-DistinctiveUnknownTokenOfSomebodyElse00000000',
}

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('hex'),
]

/** The names of the secrets that stand in a text. */
const found = (text: string, list: Record<string, string>): string[] =>
  Object.entries(list)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name)

/** How a stream of a format begins, and the event of an error in it. */
function streamOf(url: string, error: object): { first: string; last: string } {
  const event = (data: object, name = '') =>
    `${name && `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
  if (url.startsWith('/v1/messages')) {
    const message = { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} }
    return {
      first: event({ type: 'message_start', message }, 'message_start'),
      last: event({ type: 'error', error }, 'error'),
    }
  }
  const choices = [{ index: 0, delta: { content: 'hi' } }]
  const candidates = [{ content: { role: 'model', parts: [{ text: 'hi' }] }, index: 0 }]
  const first = url.startsWith('/v1/chat')
    ? event({ id: 'c', object: 'chat.completion.chunk', choices })
    : event({ candidates })
  return { first, last: event({ error }) }
}

function filesIn(folder: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[path.slice(folder.length + 1)] = readFileSync(path, 'latin1')
  }
  return files
}

test('no secret is in any log, error, list, row, bundle or file, whatever fails', {
  timeout: 180_000,
}, async () => {
  // A vendor that quotes what it was sent, in each way in which vendors fail.
  let turn = 0
  const upstream = await startUpstream(({ headers, url }) => {
    const sent = `${headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key']} ${headers['x-extra'] ?? ''} ${url}`
    const error = {
      message: `Incorrect key provided: ${sent}`,
      type: 'invalid_request_error',
      code: 'x',
    }
    const { first, last } = streamOf(url, error)
    const replies = [
      { status: 401, body: { error } },
      { status: 400, body: { error } },
      { status: 429, body: { error }, headers: { 'retry-after': '1' } },
      { status: 500, body: `<html>${sent}</html>` },
      { status: 200, body: { error } },
      { status: 200, chunks: [last] },
      { status: 200, chunks: [first, last] },
      { status: 200, chunks: [first], ending: 'cut' as const },
      { ending: 'reset-before-headers' as const },
    ]
    return replies[turn++ % replies.length] ?? {}
  })
  onTestFinished(() => upstream.close())
  const gateway = await runGateway({
    env: {
      SWITCHYARD_LOG: 'debug',
      SWITCHYARD_SECRET_KEY: secrets.dataKey,
      HTTPS_PROXY: `http://somebody:${encodeURIComponent(secrets.proxyPassword)}@127.0.0.1:9`,
    },
  })
  const { url, dataFolder } = gateway
  const owner = await setUpOwner(url)
  const told: string[] = []
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await owner.try(method, path, body)
    told.push(`${method} ${path} ${JSON.stringify(answer)}`)
    return answer
  }

  const base = { base_url: upstream.url, group: 'default' }
  const proxy = `http://somebody:${encodeURIComponent(secrets.proxyPassword)}@127.0.0.1:9`
  const channels = [
    {
      ...{ ...base, type: 1, name: 'chat', key: secrets.vendorKey, models: 'chat-model' },
      header_override: JSON.stringify({ 'X-Extra': `Bearer ${secrets.headerSecret}` }),
    },
    { ...base, type: 24, name: 'gemini', key: secrets.geminiKey, models: 'generate-content-model' },
    {
      ...{ ...base, type: 1, name: 'behind', key: secrets.vendorKey, models: 'proxied' },
      setting: JSON.stringify({ proxy }),
    },
    { ...base, type: 1, name: 'wrong', key: `${secrets.vendorKey}\u0007`, models: 'unsendable' },
  ]
  const ids: number[] = []
  for (const channel of channels) ids.push(await owner.addChannel(channel).catch(() => 0))
  await ask('POST', '/api/channel/', {
    mode: 'multi_to_single',
    multi_key_mode: 'polling',
    channel: {
      ...{ ...base, type: 14, name: 'several', models: 'messages-model' },
      key: `${secrets.vendorKey}\n${secrets.secondKey}`,
    },
  })
  await owner.ask('PUT', '/api/option/', { key: 'ChannelFailureCount', value: '0' })
  for (const [key, value] of [
    ['StripeApiSecret', secrets.stripeSecret],
    ['StripeWebhookSecret', secrets.stripeWebhook],
    ['CreemApiKey', secrets.creemKey],
    ['CreemWebhookSecret', secrets.creemWebhook],
  ]) {
    await ask('PUT', '/api/option/', { key, value })
  }
  await ask('PUT', '/api/user/setting', {
    ...{ notify_type: 'gotify', quota_warning_threshold: 500, gotify_url: 'http://127.0.0.1:9' },
    ...{ gotify_token: secrets.gotifyToken, webhook_secret: secrets.webhookSecret },
  })
  // These are shown once, to who asks for them.
  const token = await owner.addToken()
  const access = (await owner.try('POST', '/api/user/token')).data
  const setup = (await owner.try('POST', '/api/user/2fa/setup')).data as { secret?: string } | null
  const all: Record<string, string> = {
    ...secrets,
    token: token.replace(/^sk-/, ''),
    ...(typeof access === 'string' ? { access } : {}),
    ...(setup?.secret ? { totp: setup.secret } : {}),
  }
  await ask('POST', '/api/user/2fa/enable', { code: '000000' })

  for (let round = 0; round < 12; round++) {
    for (const format of ['chat', 'messages', 'generate-content'] as const) {
      for (const stream of [false, true]) {
        const call = callModel(url, token, { format, stream })
        await call.over
        told.push(`${format} ${stream} ${call.status} ${call.text}`)
      }
    }
  }
  for (const [model, key] of [
    ['proxied', token],
    ['unsendable', token],
    ['chat-model', unknown.token],
    ['none', token],
  ]) {
    const answer = await fetch(`${url}/v1/chat/completions?key=${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key ?? '' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    told.push(`${model} ${await answer.text()}`)
  }
  for (const path of ['/api/stripe/webhook', '/api/creem/webhook']) {
    const headers = { 'stripe-signature': 't=1,v1=00', 'creem-signature': '00' }
    await fetch(url + path, { method: 'POST', headers, body: '{"id":"evt"}' })
  }
  await ask('POST', '/api/user/login', { username: 'owner', password: unknown.password })
  await ask('POST', '/api/user/topup', { key: 'no such code' })
  await ask('POST', '/api/user/stripe/pay', { amount: 10, payment_method: 'stripe' })
  for (const id of ids) {
    await ask('GET', `/api/channel/test/${id}`)
    await ask('GET', `/api/channel/update_balance/${id}`)
    await ask('GET', `/api/channel/fetch_models/${id}`)
  }
  await new Promise((resolve) => setTimeout(resolve, 2500))
  for (const path of [
    ...['/api/channel/', '/api/channel/health', '/api/token/', '/api/option/', '/api/user/'],
    ...['/api/user/self', '/api/log/?page_size=100', '/api/log/self', '/api/status', '/api/server'],
    ...['/api/diagnostics/health', '/api/diagnostics/bundle', '/api/openapi', '/api/log/?type=4'],
  ]) {
    await ask('GET', path)
  }
  const list = told.filter((one) => one.startsWith('GET /api/channel/ ')).join()
  expect(list).toContain('"behind"')
  expect(told.join()).toContain('Incorrect key provided')
  expect(told.join()).toContain('***')
  // A user who may edit a channel sees what its header says.
  const { headerSecret: _header, ...hidden } = all
  for (const text of told) {
    const isChannel = /^GET \/api\/channel\//.test(text)
    expect(found(text, isChannel ? hidden : all), text.slice(0, 3000)).toEqual([])
  }

  expect(existsSync(join(dataFolder, 'logs', 'switchyard.log'))).toBe(true)
  // While it runs, with the ledger's write-ahead log, and when it has ended.
  for (const when of ['running', 'stopped']) {
    if (when === 'stopped') await gateway.stop()
    for (const [name, text] of Object.entries(filesIn(dataFolder))) {
      expect([when, name, found(text, { ...all, ...unknown })]).toEqual([when, name, []])
    }
  }
  expect(found(gateway.stderr(), { ...all, ...unknown })).toEqual([])
  expect(gateway.stderr()).toContain('call failed')
})
