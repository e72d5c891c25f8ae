import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { vendorClients } from '../../../support/clients/vendor-clients.ts'
import { isEveryCase } from '../../../support/every-case.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'
import { recordedResponses } from '../../../support/recordings/recorded-responses.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

/** In bytes; longer ones show nothing more and take longer. */
const LONGEST = 32 * 1024

const recorded = [
  ...recordedStreams.map(({ name, format, bytes }) => ({ name, format, text: String(bytes) })),
  ...recordedResponses.map(({ name, bytes }) => ({
    name,
    format: 'responses' as const,
    text: String(bytes),
  })),
].filter(({ text }) => text.length <= LONGEST)

/** A seventh of them for each change, or a third: all have their turn. */
const someOf = (turn: number) => {
  const every = isEveryCase ? 3 : 7
  return recorded.filter((_, index) => index % every === turn % every)
}

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  pair.addChannelOf('responses', { settings: { endpoint_types: ['openai-response'] } })
  // One strike would open the circuit.
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 1, StreamKeepAliveSeconds: 0 })
  for (const { name, format, text } of recorded) {
    pair.upstream.script({ chunks: [text] })
    said.set(name, String((await readBy(pair.upstream.url, format)).events))
  }
})
afterAll(() => pair.close())

/** The events that the format's own SDK reads, and the error that it throws at the end. */
async function readBy(
  url: string,
  format: WireFormat,
): Promise<{ events: string[]; error: string | null }> {
  const { openai, anthropic, google } = vendorClients({ url, key: pair.gateway.key })
  const model = modelOf[format]
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const events: string[] = []
  try {
    const stream: AsyncIterable<unknown> =
      format === 'chat'
        ? await openai.chat.completions.create({
            model,
            messages,
            stream: true,
            stream_options: { include_usage: true },
          })
        : format === 'responses'
          ? await openai.responses.create({ model, input: 'Hi', stream: true })
          : format === 'messages'
            ? await anthropic.messages.create({ model, messages, max_tokens: 9, stream: true })
            : await google.models.generateContentStream({ model, contents: 'Hi' })
    for await (const event of stream) {
      const { sdkHttpResponse: _, ...fields } = event as { sdkHttpResponse?: unknown }
      events.push(JSON.stringify(fields))
    }
    return { events, error: null }
  } catch (error) {
    return { events, error: (error as Error).message }
  }
}

/** Read straight from its vendor, and through the gateway. */
async function readTwice(format: WireFormat, reply: Reply) {
  pair.upstream.script(reply)
  const direct = await readBy(pair.upstream.url, format)
  pair.upstream.script(reply)
  const before = pair.gateway.rows()[0]?.id
  const through = await readBy(pair.gateway.url, format)
  const row = pair.gateway.rows().find(({ id }) => id !== before)
  return { direct, through, row }
}

const events = (text: string): string[] => text.split(/(?<=\n\n|\r\n\r\n)/)
const comment = `: ${'still here '.repeat(800)}\n\n`
const padding = JSON.stringify('x'.repeat(9000))

/** The text with a field of 9 KB behind the last key of this name. */
function withTail(text: string, key: string): string {
  const at = text.lastIndexOf(key)
  if (at < 0) return text
  const end = text.indexOf('"', text.indexOf(':', at) + 2) + 1
  return `${text.slice(0, end)},"padding":${padding}${text.slice(end)}`
}

/** More data lines in an event, as the standard allows. */
const overLines = (text: string): string =>
  text.replace(/^data: (\{"[^"]+":)(.*)$/gm, 'data: $1\ndata: $2')

/** All that a vendor, or a proxy before it, may do to a stream that is whole. */
const changes: readonly [string, (text: string, format: WireFormat) => Reply][] = [
  ['as it came', (text) => ({ chunks: [text] })],
  ['event by event', (text) => ({ chunks: events(text) })],
  ['cut anywhere', (text) => ({ chunks: [text], cutSeed: 7 })],
  ['with late comments', (text) => ({ chunks: [text, comment, comment, comment] })],
  [
    'without [DONE], with late comments',
    (text) => ({ chunks: [text.replace('data: [DONE]\n\n', ''), comment, comment] }),
  ],
  [
    'with a long tail behind its finish reason',
    (text, format) => ({
      chunks: events(
        withTail(text, format === 'chat' ? '"finish_reason":"' : '"finishReason"').replace(
          'data: [DONE]\n\n',
          '',
        ),
      ),
    }),
  ],
  [
    'with an event behind its end',
    (text, format) => {
      if (format === 'messages') return { chunks: [text, 'event: ping\ndata: {"type":"ping"}\n\n'] }
      if (format === 'generate-content')
        return { chunks: [text, 'data: {"usageMetadata":{"promptTokenCount":3}}\n\n', comment] }
      return { chunks: [text, comment] }
    },
  ],
  [
    'with chunks of usage and without [DONE]',
    (text, format) => ({
      chunks:
        format === 'chat'
          ? [
              text.replace('data: [DONE]\n\n', ''),
              `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2},"padding":${padding}}\n\n`,
            ]
          : [text],
    }),
  ],
  [
    'with an error behind [DONE]',
    (text, format) => ({
      chunks:
        format === 'chat' ? [text, 'data: {"error":{"message":"late","code":500}}\n\n'] : [text],
    }),
  ],
  [
    'with CR as line end',
    (text) => ({ chunks: events(text).map((one) => one.replace(/\r?\n/g, '\r')) }),
  ],
  [
    'with CR as line end, cut anywhere',
    (text) => ({ chunks: [text.replace(/\r?\n/g, '\r')], cutSeed: 3 }),
  ],
  ['with CRLF as line end', (text) => ({ chunks: [text.replace(/\r?\n/g, '\r\n')] })],
  [
    'with CRLF as line end, cut anywhere',
    (text) => ({ chunks: [text.replace(/\r?\n/g, '\r\n')], cutSeed: 5 }),
  ],
  ['with a byte order mark', (text) => ({ chunks: [`\ufeff${text}`], cutSeed: 9 })],
  ['behind blank lines and comments', (text) => ({ chunks: ['\n\n: hello\n\n', comment, text] })],
  ['without a space behind data:', (text) => ({ chunks: [text.replace(/^data: /gm, 'data:')] })],
  ['with several data lines an event', (text) => ({ chunks: [overLines(text)], cutSeed: 4 })],
  ...[
    'application/json',
    'text/plain',
    'application/octet-stream',
    'text/html',
    'Text/Event-Stream;charset=latin-1',
  ].map((type): [string, (text: string) => Reply] => [
    `labelled ${type}`,
    (text) => ({ chunks: events(text), headers: { 'content-type': type } }),
  ]),
  [
    'labelled JSON, with CR as line end',
    (text) => ({
      chunks: [text.replace(/\r?\n/g, '\r')],
      headers: { 'content-type': 'application/json' },
    }),
  ],
]

/** The events of each recording, by its name. */
const said = new Map<string, string>()

/** SDKs lose some events after CR line ends or a byte order mark; the gateway puts them right. */
const isRight = (name: string, through: readonly string[], direct: readonly string[]): boolean =>
  String(through) === String(direct) || String(through) === said.get(name)

describe('a stream that its own SDK reads without an error is never called broken', () => {
  test.each(changes)('%s', async (what, change) => {
    const wrong: string[] = []
    for (const { name, format, text } of someOf(changes.findIndex(([one]) => one === what))) {
      const { direct, through, row } = await readTwice(format, change(text, format))
      if (direct.error !== null) continue
      if (through.error !== null) wrong.push(`${name}: ${through.error}`)
      else if (row?.content !== '') wrong.push(`${name}: booked as ${row?.content}`)
      else if (!isRight(name, through.events, direct.events)) wrong.push(`${name}: other events`)
    }
    expect(wrong).toEqual([])
  })

  test('labelled as nothing at all', async () => {
    const wrong: string[] = []
    for (const { name, format, text } of someOf(0)) {
      const { direct, through } = await readTwice(format, { body: Buffer.from(text), headers: {} })
      if (through.error !== null || !isRight(name, through.events, direct.events))
        wrong.push(`${name}: ${through.error ?? 'other events'}`)
    }
    expect(wrong).toEqual([])
  })
})

/** Where a stream is cut so that its format says that more must come. */
function cutPlace(format: WireFormat, text: string): number {
  if (format === 'messages') return text.lastIndexOf('event: message_stop')
  if (format === 'responses') return text.lastIndexOf('event: response.')
  // The finish reason may be told more than once.
  const first = text.search(/"finish_?[rR]eason"\s*:\s*"/)
  return Math.max(text.lastIndexOf('\n\n', first), text.lastIndexOf('\r\n\r\n', first), 0) + 2
}

test('a stream that ends before its end is always called broken, whatever form it has', async () => {
  const wrong: string[] = []
  // Each recording in one of four forms, or in two.
  const shapes = isEveryCase ? 2 : 4
  pair.gateway.set({ ChannelFailureCount: 1000 })
  for (const [index, { name, format, text }] of recorded.entries()) {
    const place = cutPlace(format, text)
    const half = text.slice(0, place)
    if (!half.includes('data:')) continue
    const forms = [half, half.replace(/\r?\n/g, '\r'), `\ufeff${half}`, overLines(half)]
    for (const cut of forms.filter((_, form) => form % shapes === index % shapes)) {
      const replies: Reply[] = [
        { chunks: [cut] },
        { chunks: cutAtRandom(Buffer.from(cut), 2), headers: { 'content-type': 'text/plain' } },
      ]
      for (const reply of replies) {
        pair.upstream.script(reply)
        const { error } = await readBy(pair.gateway.url, format)
        if (!/before the answer was complete|before its first event/.test(error ?? ''))
          wrong.push(`${name}: ${error}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
