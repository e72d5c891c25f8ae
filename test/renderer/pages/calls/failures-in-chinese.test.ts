import type { i18n } from 'i18next'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedSource } from '../../../../main/manage/calls/refused-source.ts'
import { chinese } from '../../../../renderer/i18n/chinese/texts.ts'
import { sentenceOf } from '../../../../renderer/i18n/sentence-of.ts'
import { readCallFacts } from '../../../../renderer/pages/calls/call-facts.ts'
import { type Pair, type SendOptions, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

let pair: Pair
/** The part of i18next that sentences ask for; the whole of it wants a page. */
const zh = {
  language: 'zh',
  getResourceBundle: (_: string, kind: 'sentences' | 'failureHeads') => chinese[kind],
} as unknown as i18n

beforeAll(async () => {
  pair = await startPair()
  pair.gateway.set({ RetryTimes: 0, ModelRatio: { 'chat-model': 1 }, PreConsumedQuota: 0 })
  pair.addChannelOf('chat', { name: 'Gone', models: ['gone'], baseUrl: 'http://127.0.0.1:1' })
  const setting = { proxy: 'http://127.0.0.1:1' }
  pair.addChannelOf('chat', { name: 'Behind', models: ['proxied'], setting })
  pair.addChannelOf('chat', { name: 'Off', models: ['off'], status: 2 })
})
afterAll(() => pair.close())

const hi = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })
const forced = {
  tools: [{ type: 'function', function: { name: 'look' } }],
  tool_choice: { type: 'function', function: { name: 'find' } },
}
const headers = { 'anthropic-version': '2023-06-01' }

const chat = (model: string, options: SendOptions = {}) =>
  pair.send('/v1/chat/completions', { body: hi(model), ...options })

/** A form with one part, whose head this is. */
const form = (head: string): SendOptions => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: `--b\r\n${head}\r\n\r\nchat-model\r\n--b--\r\n`,
})

/** What the Calls page says of a request: its hint, then its message. */
function saidOf(id: string): string {
  const row = pair.rowsOf(id)[0] ?? refusedSource(pair.gateway.parts.refused).find(id)
  if (!row) throw new Error(`${id} has no row`)
  const facts = readCallFacts({ ...row, other: row.other, content: row.content } as never)
  const hint = facts.hint ? sentenceOf({ message: facts.hint, reason: facts.hintReason }, zh) : ''
  return hint + sentenceOf({ message: row.content, reason: facts.errorReason }, zh)
}

/** Two English words in a row, but for names and what a vendor or the client wrote. */
const isEnglish = (said: string) => /\b[a-z’']{2,} [a-z’']{2,}\b/.test(said)

const scripted = (reply: Reply) => async () => {
  pair.upstream.script(reply)
  return chat('chat-model')
}
const html = { 'content-type': 'text/html' }
const limited = (fields: object) => async () => {
  const { full } = pair.gateway.addToken({ name: 'laptop', ...fields })
  const headers = { authorization: `Bearer ${full}` }
  pair.upstream.script({
    body: { choices: [], usage: { prompt_tokens: 50, completion_tokens: 50 } },
  })
  await chat('chat-model', { headers })
  return chat('chat-model', { headers })
}

test.each<[string, () => Promise<{ id: string }>, RegExp]>([
  ['a body that is no object', () => chat('', { body: '[1]' }), /^请求正文必须是 JSON 对象。$/],
  [
    'a body that is no JSON',
    () => chat('', { body: '{"model":x}' }),
    /^请求正文不是有效的 JSON：位置 9 处意外出现 "x"。$/,
  ],
  ['a body that ends too early', () => chat('', { body: '{"model":' }), /JSON：过早结束。$/],
  [
    'a body that is not UTF-8',
    () => chat('', { body: Buffer.from('{"model":"\xff"}', 'latin1') }),
    /JSON：含有非 UTF-8 的字节。$/,
  ],
  [
    'a budget that is used up',
    limited({ dayBudget: 100 }),
    /^令牌“laptop”每天可使用 .*预算在 .* 重置/,
  ],
  [
    'a rate limit',
    limited({ requestsPerMinute: 1 }),
    /^令牌“laptop”每分钟最多 1 次请求，.* 秒后重试/,
  ],
  ['a server that is off', () => chat('gone'), /^渠道“Gone”：上游失败：.*没有程序在监听/],
  ['a model whose channel is off', () => chat('off'), /没有已启用的渠道提供模型“off”/],
  [
    'a refused key',
    scripted({ status: 401, body: { error: { message: 'no-such-key' } } }),
    /^厂商拒绝了渠道“chat vendor”的密钥（状态 401）：no-such-key/,
  ],
  [
    'a web page in an answer’s place',
    scripted({ status: 502, body: '<html><p>Bad-gateway</html>', headers: html }),
    /^渠道“chat vendor”的上游返回了一个网页（状态 502）：Bad-gateway/,
  ],
  ['a page with status 200', scripted({ body: '<html>', headers: html }), /以 200 返回了一个网页/],
  [
    'a redirect',
    scripted({ status: 302, body: '', headers: { location: 'https://login.example.com/' } }),
    /重定向（状态 302）到主机“login.example.com”/,
  ],
  ['an answer that is cut off', scripted({ ending: 'reset-before-headers' }), /上游失败：连接/],
  [
    'another endpoint than the model has',
    () => pair.send('/v1/embeddings', { body: { model: 'messages-model', input: 'Hi' } }),
    /^模型“messages-model”不能通过 \/v1\/embeddings 调用/,
  ],
  ['no key', () => chat('chat-model', { withoutKey: true }), /^没有发送密钥/],
  [
    'the key of a vendor',
    () => chat('chat-model', { headers: { authorization: 'Bearer sk-ant-0123456789abcdef' } }),
    /^你的工具发送了 Anthropic 的密钥（sk-ant-…）.*此密钥不是本网关的令牌/,
  ],
  [
    'a base URL with one part too many',
    () => pair.send('/v1/v1/messages', { body: {} }),
    /^你的工具调用了 \/v1\/v1\/messages：请从其基础 URL 中去掉 \/v1。URL 无效/,
  ],
  [
    'a setting that another vendor lacks',
    () => chat('messages-model', { body: { ...hi('messages-model'), n: 2 } }),
    /^n：必须为 1：此上游只给出一个回答。$/,
  ],
  [
    'a number out of bounds',
    () => chat('messages-model', { body: { ...hi('messages-model'), temperature: 3 } }),
    /^temperature：必须是 0 到 2 的数字。$/,
  ],
  [
    'a turn of a role that there is not',
    () => chat('gemini-model', { body: { ...hi('gemini-model'), messages: [{ role: 'me' }] } }),
    /^messages\[0\].role：必须是以下之一：developer、system、user、assistant、tool、function。$/,
  ],
  [
    'a tool that is forced and not sent',
    () => chat('gemini-model', { body: { ...hi('gemini-model'), ...forced } }),
    /^tool_choice：所指的工具不在此请求中。$/,
  ],
  [
    'a key that is sent twice',
    () => chat('chat-model', { body: '{"model":"chat-model","model":"b","messages":[]}' }),
    /^model：发送了两次。请只发送一次。$/,
  ],
  [
    'a body that is a list',
    () => chat('chat-model', { body: '[]' }),
    /^请求正文必须是 JSON 对象。$/,
  ],
  [
    'a converted answer without its content',
    () => {
      pair.upstream.script({ body: { id: 'a' } })
      return pair.send('/v1/messages', { body: { ...hi('chat-model'), max_tokens: 9 }, headers })
    },
    /上游的回答没有 choices。$/,
  ],
  [
    'a form without its file',
    () =>
      pair.send('/v1/audio/transcriptions', form('Content-Disposition: form-data; name="model"')),
    /^file：缺少文件。请将文件本身作为表单中带 filename 的部分发送。$/,
  ],
  [
    'a form whose part has no name',
    () => pair.send('/v1/audio/transcriptions', form('Content-Type: text/plain')),
    /^表单的一个部分没有指明字段/,
  ],
  ['a proxy that is off', () => chat('proxied'), /^渠道“Behind”：代理无法使用：.*没有程序在监听/],
  ['no model', () => pair.send('/v1/chat/completions', { body: { messages: [] } }), /^model：必填/],
])('%s is told in Chinese alone', async (_what, cause, expected) => {
  const { id } = await cause()
  await expect.poll(() => saidOf(id)).toMatch(expected)
  expect(
    isEnglish(
      saidOf(id)
        .replaceAll(/\w+ vendor/g, '')
        .replaceAll('Authorization: Bearer', ''),
    ),
  ).toBe(false)
})

test('a failed attempt is told by code, with the address that its sentence names to administrators', async () => {
  const attemptOf = ({ id }: { id: string }) =>
    JSON.parse(pair.rowsOf(id)[0]?.other ?? '{}').admin_info?.route.attempts[0]
  const refused = await chat('messages-model', { body: { ...hi('messages-model'), n: 2 } })
  const off = await chat('gone')
  await expect.poll(() => attemptOf(off)).toBeTruthy()
  expect(attemptOf(refused)).toMatchObject({
    message: 'n: must be 1: this upstream gives one answer.',
    reason: { code: 'body_field_wrong', field: 'n', why: { code: 'one_answer' } },
  })
  expect(attemptOf(off).message).toContain('http://127.0.0.1:1')
  expect(attemptOf(off).reason).toMatchObject({
    ...{ code: 'at_address', address: 'http://127.0.0.1:1' },
    why: { code: 'upstream_failed', why: { code: 'network_refused' } },
  })
})
