import { createInstance } from 'i18next'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { presets } from '../../../main/adaptor/presets.ts'
import { createConsoleCalls } from '../../../main/desktop/console-calls.ts'
import { chinese } from '../../../renderer/i18n/chinese/texts.ts'
import { sentenceOf } from '../../../renderer/i18n/sentence-of.ts'
import { sampleOf } from '../../support/every-case.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'
import { englishLeft } from '../../support/pages/english-left.ts'
import { goWithin } from '../../support/pages/go-within.ts'

let over: ConsoleOverHttp
let page: Page

const paths = [
  ...['/', '/playground', '/calls', '/calls/sessions', '/channels', '/routes', '/connect'],
  ...['/connect/tokens', '/usage', '/usage/prices', '/redeem', '/users', '/codes', '/payments'],
  ...['/groups', '/settings', '/settings/options', '/settings/security', '/settings/transfer'],
  ...['/health', '/api-reference', '/channels?new=1', '/connect/tokens?new=1', '/users?new=1'],
  ...['/codes?new=1', '/calls?q=status%3Anone', '/calls?q=nothing%3Ax', '/connect?tool=cursor'],
  ...['/routes?new=1', '/routes?open=1', '/connect?tool=claude-code', '/connect?tool=roo-code'],
]

const ready = async () => {
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

const collect = async (place: string, left: string[]) => {
  for (const text of await englishLeft(page)) {
    if (!presets.some(({ name }) => name.includes(text))) left.push(`${place}: ${text}`)
  }
}

const walk = async (left: string[], suffix: string, every = 1) => {
  for (const path of sampleOf(paths, every)) {
    await goWithin(page, path)
    await ready()
    await collect(`${path}${suffix}`, left)
  }
}

beforeAll(async () => {
  over = await startConsoleOverHttp()
  page = (await over.open('/', { locale: 'zh-CN' })).page
})
afterAll(() => over?.close())

test('a console in Chinese has no sentence in English, empty or after calls that failed', async () => {
  const { gateway, upstream, send } = over.pair
  const left: string[] = []
  await walk(left, ' (empty)', 2)

  gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo'] })
  const disabled = gateway.addChannel({ type: 1, name: 'Old', key: 'sk-old', models: ['old'] })
  const owner = createConsoleCalls(gateway.parts)
  const targets = [{ model: 'echo' }, { model: 'old' }]
  const when = { images: true, clients: ['codex'], min_input_tokens: 5 }
  const rules = [{ name: '夜间', when, targets: [{ model: 'old' }] }]
  await owner.call('route.create', { name: 'echo', targets: [targets[1], targets[0]], rules })
  await owner.call('channel.status', { id: disabled.id, status: 2 })
  const body = { model: modelOf.chat, messages: [{ role: 'user', content: '你好' }] }
  upstream.script({ status: 401, body: { error: { message: 'Bad key.' } } })
  await send('/v1/chat/completions', { body })
  await send('/v1/chat/completions', { body: { ...body, model: 'nowhere' } })
  await send('/v1/chat/completions', { body: '{' })
  await send('/v1/chat/completions', { body, withoutKey: true })
  await send('/v1/nothing', { body })
  const foreign = { ...body, model: modelOf.messages, n: 2 }
  const { id } = await send('/v1/chat/completions', { body: foreign })
  await walk(left, ' (used)')
  await goWithin(page, `/calls?open=${id}`)
  await ready()
  await collect('a refused conversion', left)
  expect([...new Set(left)]).toEqual([])
}, 180_000)

test('a role stands on one line in Chinese, however long the names beside it are', async () => {
  const username = 'a-user-'.padEnd(80, 'with-a-long-name-')
  over.pair.gateway.parts.users.create({ username, displayName: username })
  await page.setViewportSize({ width: 1280, height: 800 })
  await goWithin(page, '/users')
  // The list of a moment ago, which the console may still hold, hasn't this user.
  await page.reload()
  await ready()
  const role = page.getByRole('cell', { name: '普通用户' }).first()
  const lines = await role.evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
  expect(lines).toBe(1)
})

/** Operations that must fail, one for each kind of sentence. */
const failures: [string, unknown][] = [
  ['channel.get', { id: 9999 }],
  ['channel.create', { mode: 'single', channel: { type: 1, name: '', key: 'x', models: 'a' } }],
  ['channel.create', { mode: 'single', channel: { type: 1, name: 'a', key: 'a b', models: 'a' } }],
  ['channel.create', { mode: 'single', channel: { type: 1, name: 'a', key: '', models: 'a' } }],
  ['channel.create', { mode: 'single', channel: { type: 7777, name: 'a', key: 'x' } }],
  [
    'channel.create',
    { channel: { type: 1, name: 'a', key: 'x', models: 'a', base_url: 'ftp://a' }, mode: 'single' },
  ],
  [
    'channel.create',
    { channel: { type: 1, name: 'a', key: 'x', models: 'a', model_mapping: '{' }, mode: 'single' },
  ],
  [
    'channel.create',
    {
      channel: { type: 1, name: 'a', key: 'x', models: 'a', model_mapping: '{"a":"b","b":"a"}' },
      mode: 'single',
    },
  ],
  [
    'channel.create',
    {
      channel: { type: 1, name: 'a', key: 'x', models: 'a', base_url: 'http://169.254.169.254' },
      mode: 'single',
    },
  ],
  ['channel.multi-key', { channel_id: 1, action: 'get_key_status' }],
  ['channel.balance', { id: 1 }],
  ['channel.test', { id: 1, endpoint_type: 'audio' }],
  ['token.get', { id: 9999 }],
  ['token.create', { name: '' }],
  ['token.create', { name: 'a', allow_ips: 'nowhere' }],
  ['token.create', { name: 'a', expired_time: 5 }],
  ['token.create', { name: 'a', requests_per_minute: 0 }],
  ['token.create', { name: 'n'.repeat(60) }],
  ['token.search', { token: '%a' }],
  ['user.get', { id: 9999 }],
  ['user.create', { username: 'o\u0430wner', password: 'short' }],
  ['user.create', { username: 'ada', password: 'short' }],
  ['user.update-self', { password: 'short' }],
  ['redemption.get', { id: 9999 }],
  ['redemption.create', { name: 'a', count: 1000, quota: 1 }],
  ['topup.redeem', { key: 'x'.repeat(32) }],
  ['option.update', { key: 'RetryTimes', value: 'many' }],
  ['option.update', { key: 'ServerAddress', value: 'nowhere' }],
  ['option.update', { key: 'ExtraCaCertificates', value: 'nowhere' }],
  ['option.update', { key: 'Nothing', value: '1' }],
  ['price.set', { model: 'a', call: 1, input: 1 }],
  ['price.reset', { model: 'a' }],
  ['call.timeline', { q: 'nothing:x' }],
  ['call.timeline', { q: 'status:none' }],
  ['call.timeline', { q: 'model:"open' }],
  ['call.one', { request_id: 'none' }],
  ['call.stop', { request_id: 'none' }],
  ['capture.get', { request_id: 'none' }],
  ['replay.send', { request_id: 'none' }],
  ['agent-session.get', { id: 'none' }],
  ['transfer.preview', { text: '' }],
  ['transfer.preview', { text: '{"kind":"switchyard-export"' }],
  ['transfer.preview', { path: 'here' }],
  ['transfer.apply', { preview_id: 'none', items: [] }],
  ['transfer.undo', { undo_id: 'none' }],
  ['two-factor.disable', { code: '123456' }],
  ['two-factor.enable', { code: '12' }],
  ['verify.run', { method: '2fa', code: '123456' }],
  ['user.test-notice', {}],
  ['desktop.check-update', {}],
  ['stripe.amount', { amount: 0 }],
  ['creem.pay', { product_id: 'none' }],
  ['connect.preview', { tool: 'none' }],
]

const inChinese = createInstance({
  lng: 'zh',
  initAsync: false,
  resources: { zh: { ...chinese } },
})
void inChinese.init()

test.each(failures)('%s %o fails with a sentence in Chinese', async (name, input) => {
  const result = await createConsoleCalls(over.pair.gateway.parts).call(
    name as never,
    input as never,
  )
  if (result.ok) throw new Error(`${name} did not fail`)
  const said = sentenceOf(result.error, inChinese)
  expect(said).not.toBe(result.error.message)
  expect(said).toMatch(/\p{Script=Han}/u)
  const own = said.replaceAll(/“[^”]*”|"[^"]*"/g, '')
  expect(own).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/)
  expect(said).not.toMatch(/\{\{|undefined|–/)
})
