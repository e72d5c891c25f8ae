import { describe, expect, test } from 'vitest'
import type { Capture } from '../../../../main/capture/capture.ts'
import { type ExportKind, exportCall } from '../../../../main/inspect/export/export-call.ts'

const bodyOf = (text: string) => {
  const chunk = Buffer.from(text)
  return { chunks: [chunk], times: [], size: chunk.length }
}

const STREAM = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'

const callOf = (body: string, headers: [string, string][] = []): Capture => {
  const request = {
    at: 0,
    method: 'POST',
    url: '/v1/chat/completions?key=secret&a=b&auth=[removed]',
    headers: [
      ['Host', 'localhost'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '3'],
      ['Connection', 'keep-alive'],
      ['Authorization', 'Bearer secret'],
      ['X-Api-Key', 'secret'],
      ['Cookie', 'secret'],
      ['X-Vendor-Pass', 'Basic [removed]'],
      ['User-Agent', 'tool/1'],
      ...headers,
    ] as [string, string][],
    body: bodyOf(body),
  }
  const answer = {
    at: 5,
    status: 200,
    headers: [['content-type', 'text/event-stream']] as [string, string][],
    body: { ...bodyOf(STREAM), times: [12] },
    endedAt: 12,
    isCut: false,
  }
  return {
    id: 'call-1',
    receivedAt: 1_790_000_000_000,
    userId: 1,
    tokenId: 1,
    format: 'chat',
    model: 'some-model',
    client: { request, answer },
    exchanges: [],
    source: 'memory',
  }
}

const write = (capture: Capture, as: ExportKind) =>
  exportCall(capture, as, { baseUrl: 'http://127.0.0.1:4747', version: '1' })

const all: ExportKind[] = ['curl', 'powershell', 'http', 'typescript', 'python', 'har', 'fixture']

test.each(all)('%s holds no key, no cookie and nothing of the connection', (as) => {
  const { text } = write(callOf('{"model":"m","messages":[]}'), as)
  expect(text).not.toContain('secret')
  expect(text).not.toContain('[removed]')
  if (as === 'har' || as === 'fixture') return
  expect(text.toLowerCase()).not.toMatch(/keep-alive|content-length|cookie/)
  expect(text).toContain('SWITCHYARD_TOKEN')
})

describe('the command for PowerShell', () => {
  test('keeps quotes, typographic ones too, and expands nothing', () => {
    const body = `{"a":"it's ‘so’ $env:PATH \`n $(1)"}`
    const { text, name } = write(
      callOf(body, [
        ['X-One', 'a'],
        ['x-one', "b's"],
      ]),
      'powershell',
    )
    expect(name).toBe('call-call-1.ps1')
    expect(text).toBe(
      [
        '$headers = @{',
        '  Authorization = "Bearer $env:SWITCHYARD_TOKEN"',
        "  'x-one' = 'a, b''s'",
        '}',
        `$body = '{"a":"it''s ‘‘so’’ $env:PATH \`n $(1)"}'`,
        "(Invoke-WebRequest -UseBasicParsing -Method POST -Uri 'http://127.0.0.1:4747/v1/chat/completions?a=b' -Headers $headers -ContentType 'application/json' -UserAgent 'tool/1' -Body ([Text.Encoding]::UTF8.GetBytes($body))).Content",
        '',
      ].join('\n'),
    )
  })
})

test('the command for PowerShell has no accept header, which Windows PowerShell refuses', () => {
  const { text } = write(callOf('{}', [['Accept', 'text/event-stream']]), 'powershell')
  expect(text).not.toMatch(/accept|event-stream/i)
})

describe('a control character, which a terminal takes for a key', () => {
  const nasty = "'\x7f; injected; \u009b201~"
  const endOfPaste = '\u001b[201~'

  test.each(['curl', 'powershell', 'typescript', 'python'] as const)('is not in %s', (as) => {
    const body = JSON.stringify({ model: 'm', messages: [], [nasty]: nasty }, null, '\t')
    const { text } = write(callOf(body, [['X-One', '\x80\t']]), as)
    expect(text).toContain('injected')
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  })

  test('stands in the commands in the shell’s own words', () => {
    const body = `it's \\ ${endOfPaste}\n\u009b‘\x7f`
    expect(write(callOf(body), 'curl').text).toContain(
      String.raw`--data-raw $'it\'s \\ \x1b[201~${'\n'}\xc2\x9b‘\x7f'`,
    )
    expect(write(callOf(body), 'powershell').text).toContain(
      "$body = (-join @('it''s \\ ', [char]27, '[201~\n', [char]155, '‘‘', [char]127))\n",
    )
  })
})

describe('the .http file', () => {
  test('has no variable in its address', () => {
    const capture = callOf('{}')
    const request = { ...capture.client.request, url: '/v1/responses?a={{$env.HOME}}' }
    const { text } = write({ ...capture, client: { ...capture.client, request } }, 'http')
    expect(text).toContain('POST {{baseUrl}}/v1/responses?a=%7B%7B$env.HOME}}\n')
  })

  test('has no variable but its own', () => {
    const { text } = write(callOf('{"a":"{{b}} {{{$guid}}}"}'), 'http')
    expect(text).toBe(
      [
        '@baseUrl = http://127.0.0.1:4747',
        '@token = {{$processEnv SWITCHYARD_TOKEN}}',
        '',
        '### call-1',
        'POST {{baseUrl}}/v1/chat/completions?a=b',
        'Authorization: Bearer {{token}}',
        'Content-Type: application/json',
        'User-Agent: tool/1',
        '',
        '{"a":"{\\u007bb}} {\\u007b{$guid}}}"}',
        '',
      ].join('\n'),
    )
    expect(JSON.parse('{"a":"{\\u007bb}} {\\u007b{$guid}}}"}')).toEqual({ a: '{{b}} {{{$guid}}}' })
  })

  test('refuses a body that is no JSON and holds a separator', () => {
    expect(() => write(callOf('one\n### two'), 'http')).toThrow(/Copy it as cURL/)
  })
})

test('a call of the console’s own is exported as one with a token', () => {
  const capture = callOf('{}')
  const request = { ...capture.client.request, url: '/pg/chat/completions' }
  const { text } = write({ ...capture, client: { ...capture.client, request } }, 'curl')
  expect(text).toContain("'http://127.0.0.1:4747/v1/chat/completions'")
})

test('a body that is no JSON has no SDK', () => {
  expect(() => write(callOf('model=a'), 'typescript')).toThrow(/Copy this call as cURL/)
})

test('a number that a language would round is refused by it, and kept by the others', () => {
  const call = callOf('{"model":"m","messages":[],"seed":12345678901234567890}')
  expect(() => write(call, 'typescript')).toThrow(/12345678901234567890, which this language/)
  for (const as of ['python', 'curl', 'http', 'powershell'] as const) {
    expect(write(call, as).text).toContain('12345678901234567890')
  }
})

test('a fixture has events with their times, and numbers as they were written', () => {
  const { text, name, mediaType } = write(callOf('{"seed":12345678901234567890}'), 'fixture')
  expect([name, mediaType]).toEqual(['call-call-1.json', 'application/json'])
  expect(text).toContain('12345678901234567890')
  expect(JSON.parse(text).client.answer.events).toEqual([
    { at: 12, event: null, data: '{"choices":[{"index":0,"delta":{"content":"Hi"}}]}' },
    { at: 12, event: null, data: '[DONE]' },
  ])
})

test('a request that is mostly depth is a fixture of its size, and no program of a language', () => {
  const deep = '['.repeat(9000) + ']'.repeat(9000)
  const call = callOf(`{"model":"m","messages":[],"metadata":{"a":${deep}}}`)
  const { text } = write(call, 'fixture')
  expect(text.length).toBeLessThan(1_000_000)
  expect(text.replace(/\s/g, '')).toContain(deep)
  for (const as of ['typescript', 'python'] as const)
    expect(() => write(call, as)).toThrow(/nests deeper than 100 levels.*Copy it as cURL/)
  expect(write(call, 'curl').text).toContain(deep)
})

test('a request of fifty levels is still a program', () => {
  const deep = '['.repeat(50) + ']'.repeat(50)
  const call = callOf(`{"model":"m","messages":[],"metadata":{"a":${deep}}}`)
  for (const as of ['typescript', 'python'] as const)
    expect(write(call, as).text.replace(/[\s,]/g, '')).toContain(deep)
})

test.each([
  ['typescript', 'for await (const event of answer)'],
  ['python', 'for event in answer:'],
] as const)('%s reads a streamed Gemini call event by event', (as, line) => {
  const capture = callOf('{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}')
  const url = '/v1beta/models/some-model:streamGenerateContent?alt=sse'
  const request = { ...capture.client.request, url }
  const { text } = write({ ...capture, client: { ...capture.client, request } }, as)
  expect(text).toContain(line)
})
