import express from 'express'
import { afterEach, expect, test, vi } from 'vitest'
import { startManagement } from '../management.ts'

/**
 * Who may run each operation of the API's document; access-levels.test.ts shows that each is served so. A new
 * operation, or a change of who may run one, changes this table too, so that it is looked at.
 *
 * `session only`: no access token can do it. `recent`: after a login or step-up of the last minutes. `step-up`: a
 * login does not do. `own pages`: a GET that acts, with a session answered to the console's pages only.
 */
const reviewed: Readonly<Record<string, string>> = {
  anyone: `
    setup.status setup.run
    status.get
    text.notice text.about text.home text.user-agreement text.privacy-policy
    session.login session.login-2fa session.logout
    user.register
    pricing.get
    ratio.config
    user.groups
    api.document api.document-raw
  `,
  'anyone, own pages': `
    session.logout-get
  `,
  user: `
    user.self user.update-self user.models user.setting user.test-notice
    session.list
    two-factor.status
    verify.status
    token.list token.create token.update token.search token.get token.delete token.reveal
    token.batch-delete token.batch-keys
    call.list-self call.stat-self call.search-self
    audit.list
    call.timeline call.news call.suggest call.one call.stop
    usage.hourly-self usage.summary-self
    capture.get capture.body capture.diff capture.events capture.reading capture.formats
    capture.convert capture.export capture.har
    agent-session.list agent-session.get agent-session.doctor
    topup.redeem topup.info topup.list-self topup.check
    stripe.amount stripe.pay
    creem.pay
    playground.models playground.catalogue playground.parameters
    model.list
    user.self-groups
    server.get
    keychain.get
    events
  `,
  'user, session only': `
    desktop.send-with-token
    session.revoke-others session.revoke
    two-factor.enable two-factor.disable two-factor.backup-codes
    verify.run
    playground.send playground.preview
    playground.chat playground.images playground.speech playground.transcriptions
    playground.embeddings playground.rerank
    replay.send replay.check replay.draft replay.failures
  `,
  'user, session only, recent': `
    user.delete-self user.access-token
    two-factor.setup
  `,
  'user, session only, recent, own pages': `
    user.access-token-get
  `,
  admin: `
    route.list route.create route.update route.delete
    status.test
    user.list user.create user.update user.search user.get user.delete user.manage
    two-factor.stats
    channel.list channel.create channel.update channel.search channel.get channel.delete
    channel.status channel.copy channel.check channel.fetch-models channel.presets
    channel.preview-url
    channel.fix channel.tag-disable channel.tag-enable channel.tag-update channel.tag-models
    channel.multi-key channel.known-models channel.enabled-models channel.batch-delete
    channel.delete-disabled channel.batch-tag channel.batch-status channel.health
    channel.reset-health channel.recent
    call.list call.stat call.search
    capture.status
    usage.hourly usage.summary
    redemption.list redemption.create redemption.update redemption.search redemption.export
    redemption.get redemption.delete redemption.delete-invalid
    topup.list topup.complete
    price.list
    group.list
    diagnostics.health
  `,
  'admin, own pages': `
    channel.test channel.fetch-models-of channel.test-all channel.balance channel.balance-all
  `,
  'admin, session only': `
    two-factor.reset
  `,
  owner: `
    call.delete capture.burst capture.clear
    option.list option.update
    server.pause server.resume
    price.set price.reset
    option.reset-model-ratio
    diagnostics.bundle
    desktop.get desktop.check-update
    keychain.retry
    connect.tools connect.preview connect.apply connect.undo connect.undo-all connect.models
    connect.tokens connect.update-address
    backup.list
  `,
  'owner, session only': `
    desktop.set-login-item desktop.open-folder
    transfer.found transfer.take transfer.link
    transfer.export transfer.preview transfer.undo transfer.last backup.create
  `,
  'owner, session only, step-up': `
    channel.key keychain.forget
    transfer.apply
  `,
  'model key': `
    post-v1-chat-completions post-v1-completions post-v1-responses
    post-v1-responses-input_tokens post-v1-responses-compact post-v1-messages
    post-v1-messages-count_tokens post-v1-embeddings post-v1-images-generations
    post-v1-images-edits post-v1-images-variations post-v1-audio-transcriptions
    post-v1-audio-translations post-v1-audio-speech post-v1-rerank post-rerank post-v2-rerank
    get-v1-realtime get-v1-dashboard-billing-subscription get-v1-dashboard-billing-usage
    get-dashboard-billing-subscription get-dashboard-billing-usage get-api-usage-token
    get-api-log-token get-v1-models get-v1beta-models get-v1beta-openai-models
    get-v1beta-models-model post-v1beta-models-model-generateContent
    post-v1beta-models-model-streamGenerateContent post-v1beta-models-model-countTokens
    post-v1beta-models-model-embedContent post-v1beta-models-model-batchEmbedContents
    get-v1-models-model post-v1-models-model-generateContent
    post-v1-models-model-streamGenerateContent post-v1-models-model-countTokens
    post-v1-models-model-embedContent post-v1-models-model-batchEmbedContents
  `,
  signature: `
    stripe.webhook
    creem.webhook
  `,
}

interface Entry {
  operationId: string
  security: Record<string, string[]>[]
  'x-access': 'none' | 'user' | 'admin' | 'root' | 'key' | 'signature'
  'x-proof'?: 'session' | 'recent' | 'step-up'
  'x-own-pages'?: true
}

const who = {
  none: 'anyone',
  user: 'user',
  admin: 'admin',
  root: 'owner',
  key: 'model key',
  signature: 'signature',
} as const

/** The operations of the document, each with who may run it in the table's words. */
function accessIn(paths: Record<string, Record<string, Entry>>): Record<string, string> {
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  const entries = described.map((entry) => {
    const schemes = entry.security.flatMap((one) => Object.keys(one))
    const proof = entry['x-proof']
    const words = [
      who[entry['x-access']],
      ...(schemes.join() === 'session' ? ['session only'] : []),
      ...(proof && proof !== 'session' ? [proof] : []),
      ...(entry['x-own-pages'] ? ['own pages'] : []),
    ]
    return [entry.operationId, words.join(', ')]
  })
  return Object.fromEntries(entries)
}

test('everybody may do what was reviewed, in the document that the gateway serves', async () => {
  const { gateway } = await startManagement()
  const response = await fetch(`${gateway.url}/api/openapi.json`)
  const table = Object.entries(reviewed).flatMap(([access, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, access]),
  )
  // A name in two rows would count with the latter alone.
  expect(new Set(table.map(([name]) => name)).size).toBe(table.length)
  const { paths } = (await response.json()) as { paths: Parameters<typeof accessIn>[0] }
  expect(accessIn(paths)).toEqual(Object.fromEntries(table))
})

afterEach(() => void vi.restoreAllMocks())

/** Open to all and no operations: whether anyone is there, what browsers ask before, the console's pages. */
const besides = [
  ...['GET /', 'HEAD /', 'GET /api/hello', 'HEAD /api/hello', 'OPTIONS /{*path}'],
  ...['GET /console', 'GET /console/{*page}', 'USE /console', 'GET /favicon.ico'],
]

type Register = (...all: unknown[]) => unknown

/** Notes all that is registered with Express from here on, such as `GET /api/status`. */
function watchRoutes(): Set<string> {
  const noted = new Set<string>()
  const watch = (where: unknown, method: string, pathsOf: (...all: unknown[]) => unknown[]) => {
    const methods = where as Record<string, Register>
    const register = methods[method] as Register
    vi.spyOn(methods, method).mockImplementation(function (this: unknown, ...all) {
      for (const path of pathsOf(this, ...all)) noted.add(`${method.toUpperCase()} ${String(path)}`)
      return register.apply(this, all)
    })
  }
  for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'all']) {
    watch(Reflect.get(express, 'Route').prototype, method, (route) =>
      [(route as { path: unknown }).path].flat(),
    )
  }
  watch(express.Router.prototype, 'use', (_router, path) =>
    typeof path === 'function' || path === '/' ? [] : [path].flat(),
  )
  return noted
}

test('nothing is served at a path beside what was reviewed', async () => {
  const noted = watchRoutes()
  const { gateway, owner } = await startManagement()
  const { paths } = (await owner.get('/api/openapi')).body.data as {
    paths: Record<string, Record<string, Entry>>
  }
  const asServed = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')
  const known = new Set([
    ...Object.entries(paths).flatMap(([path, methods]) =>
      ['all', ...Object.keys(methods)].map((one) => `${one.toUpperCase()} ${asServed(path)}`),
    ),
    ...besides,
  ])
  expect(noted.size).toBeGreaterThan(150)
  expect(noted).toContain('USE /console')
  expect([...noted].filter((route) => !known.has(route))).toEqual([])

  const others: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    if (!/^\/(api|pg)\//.test(path)) continue
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (method.toLowerCase() in methods) continue
      const { status } = await fetch(gateway.url + path.replaceAll(/\{\w+\}/g, '999999'), {
        method,
      })
      if (status !== 405 && status !== 404) others.push(`${method} ${path}: ${status}`)
    }
  }
  expect(others).toEqual([])
})
