import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import { beginChunked, head, lastChunk, resetSoon } from './raw-answer.ts'
import { type RawExchange, startRawUpstream } from './raw-upstream.ts'
import type { Scenario } from './scenarios.ts'

/** A call that is no conversation. */
interface Other {
  path: string
  /** The request without its model; fields of a form with a file if `isForm`. */
  asks: Readonly<Record<string, unknown>>
  isForm?: true
  type: string
  /** The whole answer; of a stream its events. */
  answer: string | readonly string[]
}

const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`
const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 }
const JSON_ANSWER = 'application/json'
const EVENTS = 'text/event-stream'
const picture = 'iVBORw0KGgo'.repeat(200)

const others: Readonly<Record<string, Other>> = {
  embeddings: {
    path: '/v1/embeddings',
    asks: { input: 'a' },
    type: JSON_ANSWER,
    answer: JSON.stringify({
      ...{ object: 'list', model: 'm', usage: { prompt_tokens: 3, total_tokens: 3 } },
      data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2, 0.3] }],
    }),
  },
  pictures: {
    path: '/v1/images/generations',
    asks: { prompt: 'a' },
    type: JSON_ANSWER,
    answer: JSON.stringify({ created: 1, data: [{ b64_json: picture }], usage }),
  },
  transcript: {
    path: '/v1/audio/transcriptions',
    asks: {},
    isForm: true,
    type: JSON_ANSWER,
    answer: JSON.stringify({ text: 'some words '.repeat(50), usage: { type: 'tokens', ...usage } }),
  },
  subtitles: {
    path: '/v1/audio/transcriptions',
    asks: { response_format: 'srt' },
    isForm: true,
    type: 'text/plain',
    answer: '1\n00:00:00,000 --> 00:00:01,000\nsome words\n\n'.repeat(20),
  },
  sound: {
    path: '/v1/audio/speech',
    asks: { input: 'a', voice: 'alloy' },
    type: 'audio/mpeg',
    answer: `ID3${'sound'.repeat(1000)}`,
  },
  'completions, streamed': {
    path: '/v1/completions',
    asks: { prompt: 'a', stream: true },
    type: EVENTS,
    answer: [
      event({ id: 'c', choices: [{ index: 0, text: 'some', finish_reason: null }] }),
      event({ id: 'c', choices: [{ index: 0, text: ' words', finish_reason: 'stop' }] }),
    ],
  },
  'pictures, streamed': {
    path: '/v1/images/generations',
    asks: { prompt: 'a', stream: true },
    type: EVENTS,
    answer: [
      event({ type: 'image_generation.partial_image', b64_json: picture }),
      event({ type: 'image_generation.completed', b64_json: picture, usage }),
    ],
  },
  'transcript, streamed': {
    path: '/v1/audio/transcriptions',
    asks: { stream: 'true' },
    isForm: true,
    type: EVENTS,
    answer: [
      event({ type: 'transcript.text.delta', delta: 'some' }),
      event({ type: 'transcript.text.done', text: 'some words', usage }),
    ],
  },
  'speech, in events': {
    path: '/v1/audio/speech',
    asks: { input: 'a', voice: 'alloy', stream_format: 'sse' },
    type: EVENTS,
    answer: [
      event({ type: 'speech.audio.delta', audio: 'AAAA' }),
      event({ type: 'speech.audio.done', usage }),
    ],
  },
}

/** The part sent before an answer breaks: half of it, or nearly all of a stream. */
function partOf({ answer }: Other): string {
  if (typeof answer === 'string') return answer.slice(0, Math.ceil(answer.length / 2))
  return answer.join('').trimEnd().slice(0, -2)
}

const whole = ({ answer }: Other): string => (typeof answer === 'string' ? answer : answer.join(''))

type Cut = (exchange: RawExchange, other: Other) => Promise<void>

const cuts: Readonly<Record<string, Cut>> = {
  'closed before its length': async ({ write, socket }, other) => {
    const length = Buffer.byteLength(whole(other))
    await write(head(200, { 'content-type': other.type, 'content-length': length }))
    await write(partOf(other))
    socket.end()
  },
  'reset between its chunks': async (exchange, other) => {
    await beginChunked(exchange, { 'content-type': other.type }, [partOf(other)])
    await resetSoon(exchange)
  },
  'reset without length or chunks': async (exchange, other) => {
    await exchange.write(head(200, { 'content-type': other.type, connection: 'close' }))
    await exchange.write(partOf(other))
    await resetSoon(exchange)
  },
  'ended too early': async (exchange, other) => {
    await beginChunked(exchange, { 'content-type': other.type }, [partOf(other)])
    await exchange.write(lastChunk)
    exchange.done()
  },
}

/**
 * Here only the content tells that it is not whole. A body without length and chunks ends with its connection, and
 * undici takes a reset for such an end as well.
 */
const isQuiet = (name: string) => /^(?:ended too early|reset without)/.test(name)

/** Neither sound nor plain text says where its end is. */
const isUnmarked = ({ type }: Other) => /audio|plain/.test(type)

async function ask({ url, key }: TestGateway, model: string, { path, asks, isForm }: Other) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...asks, model })) form.set(name, String(value))
  form.set('file', new Blob(['RIFF....WAVEfmt ']), 'a.wav')
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': JSON_ANSWER }),
    },
    body: isForm ? form : JSON.stringify({ ...asks, model }),
  })
  const { status } = response
  const text = await response.text().catch(() => null)
  return { status, text }
}

/** Problems of a call whose first upstream breaks off; `model` says whether there is a second upstream. */
async function problemsOf(
  gateway: TestGateway,
  model: 'one' | 'two',
  other: Other,
  count: number,
): Promise<string[]> {
  const { status, text } = await ask(gateway, model, other)
  const [row] = await gateway.rowsWhen(count)
  const told = JSON.parse(row?.other ?? '{}')
  const tried: unknown[] = told.admin_info?.use_channel ?? []
  const problems: string[] = []
  const demand = (holds: boolean, what: string) => holds || problems.push(what)
  demand(gateway.rows().length === count, `${gateway.rows().length} rows, not ${count}`)
  const hasBegun = other.type === EVENTS || other.type.startsWith('audio')
  if (!hasBegun && model === 'two') {
    demand(status === 200 && text === whole(other), `the second: ${status} ${text}`)
    demand(tried.length === 2 && told.error_code === undefined, `tried ${tried}`)
    return problems
  }
  const isTold = told.error_code === 'upstream_cut' || told.error_code === 'upstream_invalid'
  demand(isTold, `booked as ${told.error_code}`)
  demand(tried.length === 1, `tried ${tried}`)
  if (!hasBegun) demand(status === 502, `status ${status}`)
  else if (other.type === EVENTS) {
    const last = text?.trimEnd().split('\n\n').at(-1) ?? ''
    demand(last.startsWith('data: {"error":{'), `the stream ends with ${last}`)
    demand(!/\[DONE\]|completed|\.done/.test(text ?? ''), 'the stream looks whole')
  } else demand(status === 200 && text === null, `${status}, and the sound looks whole`)
  return problems
}

/** Every other endpoint's answer broken off in one way, with one channel and with two. */
function brokenOff(name: string, cut: Cut): Scenario {
  const tellable = Object.entries(others).filter(
    ([, other]) => !(isQuiet(name) && isUnmarked(other)),
  )
  async function run(): Promise<string[]> {
    const gateway = await startTestGateway()
    gateway.set({ ChannelFailureCount: 0 })
    let played: Other | undefined
    const broken = await startRawUpstream((exchange) => played && cut(exchange, played))
    const good = await startRawUpstream(async (exchange) => {
      if (!played) return
      await beginChunked(exchange, { 'content-type': played.type }, [whole(played)])
      await exchange.write(lastChunk)
      exchange.done()
    })
    const settings = { endpoint_types: ['openai', 'embeddings', 'image-generation', 'audio'] }
    const channel = { type: 1, settings }
    gateway.addChannel({ ...channel, baseUrl: broken.url, models: ['one', 'two'], priority: 9 })
    gateway.addChannel({ ...channel, baseUrl: good.url, models: ['two'] })
    const problems: string[] = []
    let count = 0
    for (const [which, other] of tellable) {
      played = other
      for (const model of ['one', 'two'] as const) {
        const found = await problemsOf(gateway, model, other, ++count)
        problems.push(...found.map((problem) => `${which}, ${model}: ${problem}`))
      }
    }
    await gateway.close()
    await Promise.all([broken.close(), good.close()])
    return problems
  }
  return { name: `what is no conversation, ${name}`, run }
}

/** Answers of endpoints without conversations that break off, in every way. */
export const otherScenarios: readonly Scenario[] = Object.entries(cuts).map(([name, cut]) =>
  brokenOff(name, cut),
)
