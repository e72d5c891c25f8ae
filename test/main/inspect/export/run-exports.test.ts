import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capture } from '../../../../main/capture/capture.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { type ExportKind, exportCall } from '../../../../main/inspect/export/export-call.ts'
import { captureCall } from '../../../support/captures/capture-call.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import { readFixture, recordedStreams } from '../../../support/recordings/fixtures.ts'
import { recordedResponses } from '../../../support/recordings/recorded-responses.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { hasPythonSdks, runExport } from './run-export.ts'

let pair: Pair
beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('chat', {
    models: [modelOf.chat, modelOf.responses],
    settings: { endpoint_types: ['openai', 'openai-response', 'embeddings'] },
  })
  pair.addChannelOf('messages')
  pair.addChannelOf('generate-content')
})
afterAll(() => pair.close())

/** All that a shell, a source text or an editor could read as its own. */
const NASTY = [
  `it's "quoted" \`date\` $HOME $(id) \${PATH} !! !x #{x} %s %d %TEMP% \\n \\ \\\\ \\' \\"`,
  'tab\tline\nreturn\r\nno-break\u00a0 ‘curly’ “quotes” ‚low‛ — grüße 漢字 😀 \u2028 \u2029 \u0001 \u007f',
  '{{variable}} {{{$guid}}} <%= x %> */ // # @file --data -- \'\'\' """ ```',
].join('\n')

const text = (name: string): Reply => ({ body: JSON.parse(String(readFixture(name))) })

function stream(format: WireFormat): Reply {
  const recorded = [...recordedStreams, ...recordedResponses].find((one) =>
    'format' in one ? one.format === format : format === 'responses',
  )
  if (!recorded) throw new Error(`no recorded stream of ${format}`)
  return { chunks: [recorded.bytes] }
}

interface ExportedRequest {
  format: WireFormat
  path: string
  body: object
  reply: Reply
  headers?: Record<string, string>
}

const tool = {
  name: 'weather',
  description: NASTY,
  parameters: { type: 'object', properties: { __proto__x: { type: 'string' } } },
}

const calls: Readonly<Record<string, ExportedRequest>> = {
  'a chat call': {
    format: 'chat',
    path: '/v1/chat/completions',
    body: {
      model: modelOf.chat,
      messages: [{ role: 'user', content: NASTY }],
      tools: [{ type: 'function', function: tool }],
      temperature: 0.5,
      a_vendors_own: { nested: [null, true, false, 1.5e-7] },
    },
    headers: { 'x-session': "it's $5" },
    reply: text('openai-chat/text.json'),
  },
  'a streamed chat call': {
    format: 'chat',
    path: '/v1/chat/completions',
    body: {
      model: modelOf.chat,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    },
    reply: stream('chat'),
  },
  'a messages call': {
    format: 'messages',
    path: '/v1/messages?beta=true',
    body: {
      model: modelOf.messages,
      max_tokens: 64_000,
      system: [{ type: 'text', text: NASTY, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: NASTY }] }],
      context_management: { edits: [] },
    },
    headers: { 'anthropic-beta': 'context-management-2025-06-27', 'x-app': 'cli' },
    reply: text('anthropic-messages/tool-no-args.json'),
  },
  'a streamed messages call': {
    format: 'messages',
    path: '/v1/messages',
    body: {
      model: modelOf.messages,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    },
    reply: stream('messages'),
  },
  'a responses call': {
    format: 'responses',
    path: '/v1/responses',
    body: { model: modelOf.responses, input: NASTY, store: false, a_vendors_own: 1 },
    reply: text('openai-responses/phase.json'),
  },
  'a streamed responses call': {
    format: 'responses',
    path: '/v1/responses',
    body: { model: modelOf.responses, input: 'Hi', store: false, stream: true },
    reply: stream('responses'),
  },
  'a Gemini call': {
    format: 'generate-content',
    path: `/v1beta/models/${modelOf['generate-content']}:generateContent`,
    body: {
      contents: [
        { role: 'user', parts: [{ text: NASTY }] },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { b: 2 } } }] },
      ],
      systemInstruction: { parts: [{ text: NASTY }] },
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: { type: 'object' } }] }],
      generationConfig: {
        temperature: 0.1,
        maxOutputTokens: 10,
        stopSequences: ['"'],
        thinkingConfig: { thinkingBudget: 0 },
        responseSchema: { type: 'object', properties: { a: { type: 'string' } } },
      },
    },
    reply: text('gemini/tool-call-gemini3.json'),
  },
  'a streamed Gemini call with signatures and files': {
    format: 'generate-content',
    path: `/v1beta/models/${modelOf['generate-content']}:streamGenerateContent?alt=sse`,
    body: {
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
        { role: 'model', parts: [{ text: 'A', thoughtSignature: 'c2lnbmVk' }] },
        { role: 'user', parts: [{ text: 'B' }] },
      ],
    },
    reply: stream('generate-content'),
  },
  'a call that no SDK has a method for': {
    format: 'chat',
    path: '/v1/embeddings',
    body: { model: modelOf.chat, input: [NASTY], encoding_format: 'float' },
    reply: text('openai-embeddings/float.json'),
  },
}

/** Makes a call, exports it, runs the export; gives what the vendor got both times. */
async function sentAgain({ format, path, body, headers, reply }: ExportedRequest, as: ExportKind) {
  const sent = JSON.stringify(body, null, 1).replaceAll('\n', '\r\n')
  const { upstream, gateway } = pair
  const asked = { format, path, body: sent, model: 'any', upstream: format, replies: [reply] }
  const capture = await captureCall(pair, { ...asked, ...(headers ? { headers } : {}) })
  expect(capture.client.answer?.status).toBe(200)
  const first = upstream.last()
  const { text: script } = exportCall(capture, as, { baseUrl: gateway.url, version: '1' })
  expect(script).not.toContain(gateway.key)
  upstream.script(reply)
  const ran = await runExport(as, script, gateway.key)
  expect(ran.stderr).toBe('')
  expect(ran.code).toBe(0)
  const second = upstream.last()
  expect(second).not.toBe(first)
  return { capture, first, second, stdout: ran.stdout }
}

/** Google's SDKs send an empty one where there is none. */
function withoutEmptyConfig(body: unknown): unknown {
  const { generationConfig, ...rest } = body as { generationConfig?: object }
  const isEmpty = !generationConfig || Object.keys(generationConfig).length === 0
  return isEmpty ? rest : body
}

describe('the command for bash', () => {
  test.each(Object.entries(calls))('sends %s again, byte for byte', async (_name, asked) => {
    const { capture, first, second, stdout } = await sentAgain(asked, 'curl')
    expect(second.body.equals(first.body)).toBe(true)
    expect(second.url).toBe(first.url)
    for (const [name, value] of Object.entries(asked.headers ?? {})) {
      expect(first.headers[name] ?? value).toBe(second.headers[name] ?? value)
    }
    expect(stdout.length).toBeGreaterThan(0)
    expect(capture.client.answer?.body.size).toBeGreaterThan(0)
  })

  test('sends a body that is longer than an argument may be', async () => {
    const content = `${NASTY}${'x'.repeat(300_000)}`
    const body = { model: modelOf.chat, messages: [{ role: 'user', content }] }
    const asked = { ...(calls['a chat call'] as ExportedRequest), body }
    const { first, second } = await sentAgain(asked, 'curl')
    expect(second.body.equals(first.body)).toBe(true)
  })
})

describe('the TypeScript over the vendor’s SDK', () => {
  test.each(Object.entries(calls))('sends %s again', async (_name, asked) => {
    const { first, second, stdout } = await sentAgain(asked, 'typescript')
    expect(withoutEmptyConfig(second.json())).toEqual(withoutEmptyConfig(first.json()))
    expect(second.url).toBe(first.url)
    if (asked.headers?.['anthropic-beta']) {
      expect(second.headers['anthropic-beta']).toBe(first.headers['anthropic-beta'])
    }
    for (const line of stdout.trim().split(/\n(?=\{)/))
      expect(JSON.parse(line)).toBeTypeOf('object')
  })

  test('keeps a field named __proto__', async () => {
    const sent = `{"model":"${modelOf.chat}","messages":[{"role":"user","content":"Hi"}],"__proto__":{"a":1}}`
    const asked = { format: 'chat', path: '/v1/chat/completions', upstream: 'chat' } as const
    const replies = [text('openai-chat/text.json')]
    const capture = await captureCall(pair, { ...asked, body: sent, model: 'any', replies })
    const { text: script } = exportCall(capture, 'typescript', {
      baseUrl: pair.gateway.url,
      version: '1',
    })
    pair.upstream.script(...replies)
    await runExport('typescript', script, pair.gateway.key)
    expect(pair.upstream.last().body.toString()).toContain('"__proto__":{"a":1}')
  })
})

describe.skipIf(!hasPythonSdks)('the Python over the vendor’s SDK', () => {
  test.each(Object.entries(calls))('sends %s again', async (_name, asked) => {
    const { first, second, stdout } = await sentAgain(asked, 'python')
    expect(withoutEmptyConfig(second.json())).toEqual(withoutEmptyConfig(first.json()))
    expect(second.url).toBe(first.url)
    expect(stdout.length).toBeGreaterThan(0)
  })
})

const bodyOf = (bytes: Buffer, size = bytes.length) => ({ chunks: [bytes], times: [], size })

test.each<[string, Partial<Capture['client']['request']>, RegExp]>([
  ['a NUL byte', { body: bodyOf(Buffer.from('a\0b')) }, /holds a NUL byte/],
  ['broken UTF-8', { body: bodyOf(Buffer.from([0xff, 0xfe])) }, /isn’t UTF-8 text/],
  ['only its beginning', { body: bodyOf(Buffer.from('{}'), 9000) }, /was cut at 2 of 9000 bytes/],
  [
    'files of a form',
    { files: [{ field: 'file', name: 'talk.mp3', type: 'audio/mpeg', size: 9, digest: '0' }] },
    /files are not kept \(talk\.mp3\)/,
  ],
])('a call with %s is refused in words', async (_name, request, message) => {
  const capture = await captureCall(pair, {
    ...(calls['a chat call'] as ExportedRequest),
    model: 'any',
    upstream: 'chat',
    replies: [text('openai-chat/text.json')],
  })
  const client = { ...capture.client, request: { ...capture.client.request, ...request } }
  for (const as of ['curl', 'powershell', 'http', 'typescript', 'python'] as const) {
    const run = () => exportCall({ ...capture, client }, as, { baseUrl: 'http://x', version: '1' })
    expect(run).toThrow(message)
  }
})
